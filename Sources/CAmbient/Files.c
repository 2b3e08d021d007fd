// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#include <sys/uio.h>
#endif

#include "Visibility.h"

// By POSIX, a pipe that poll(2) reports as ready takes at least PIPE_BUF bytes at once: 4,096 on
// Linux, 512 on Apple's systems. If another writer uses up that room in between, this call waits as
// write(2) does. Apple's poll(2) does not support devices (POLLNVAL), so a device is written to as
// usual.
OWN ssize_t ambient_write_polled(int descriptor, const void *bytes, size_t count) {
  struct pollfd place = {descriptor, POLLOUT, 0};
  const int ready = poll(&place, 1, 0);
  if (ready == 0) errno = EAGAIN;
  if (ready <= 0) return -1;
  return write(descriptor, bytes, count < PIPE_BUF ? count : PIPE_BUF);
}

OWN ssize_t ambient_write_prompt(int descriptor, const void *bytes, size_t count) {
#if defined(__linux__) && defined(SYS_pwritev2)
  // pwritev2(2) with RWF_NOWAIT. Offset -1, passed in two halves, is the file's current position.
  struct iovec part = {(void *)bytes, count};
  const long current = -1, no_wait = 8;
  const ssize_t written = syscall(SYS_pwritev2, (long)descriptor, &part, 1L, current, current, no_wait);
  // Terminals and older kernels do not have that write, and a sandbox may forbid it.
  if (written >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EPERM)) return written;
#endif
#ifdef MSG_NOSIGNAL
  const ssize_t sent = send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
#else
  const ssize_t sent = send(descriptor, bytes, count, MSG_DONTWAIT);
#endif
  return sent >= 0 || errno != ENOTSOCK ? sent : ambient_write_polled(descriptor, bytes, count);
}

// False if one of them is closed, too.
static _Bool lead_to_one_file(int descriptor, int other) {
  struct stat status;
  return fstat(other, &status) == 0 &&
         ambient_size_if(descriptor, (uint64_t)status.st_dev, (uint64_t)status.st_ino) >= 0;
}

OWN int ambient_moved(int descriptor, int least) {
  if (descriptor < 0 || descriptor >= least) return descriptor;
  int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, least);
  if (moved < 0 && descriptor < 3) moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (moved < 0 && descriptor >= 3) return descriptor;
  const int kept = errno;
  // Other code may have closed the number just now, which may belong to a file of that code by now.
  if (moved < 0 || lead_to_one_file(descriptor, moved)) close(descriptor);
  errno = kept;
  return moved;
}

OWN int ambient_least_kept(void) {
  struct rlimit limit;
  const rlim_t most = 512;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur / 2 >= most) return (int)most;
  return limit.rlim_cur < 6 ? 3 : (int)(limit.rlim_cur / 2);
}

// With a low limit of descriptors, there is no room for numbers in turn.
static int least_in_turn(uint32_t *count, int start, uint32_t room) {
  const int kept = ambient_least_kept();
  if (kept < 512) return kept;
  return kept + start + (int)(__atomic_fetch_add(count, 1, __ATOMIC_RELAXED) % room);
}

OWN int ambient_least_brief(void) {
  static uint32_t count;
  return least_in_turn(&count, 0, 64);
}

OWN int ambient_least_lasting(void) {
  static uint32_t count;
  return least_in_turn(&count, 64, 256);
}

OWN int64_t ambient_size_if(int descriptor, uint64_t device, uint64_t file) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return -1;
  const _Bool is_same = (uint64_t)status.st_dev == device && (uint64_t)status.st_ino == file;
  return is_same ? (int64_t)status.st_size : -1;
}

// Fails with EINVAL, ENOSYS or ENOTSUP if the system or the file system has no exclusive rename, and
// with EPERM if a sandbox forbids it.
static int rename_exclusively(const char *path, const char *other) {
#ifdef __APPLE__
  return renamex_np(path, other, RENAME_EXCL);
#elif defined(SYS_renameat2)
  const unsigned no_replace = 1;
  return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, no_replace);
#else
  errno = ENOSYS;
  return -1;
#endif
}

OWN int ambient_rename(const char *path, const char *other) { return rename(path, other); }

OWN int ambient_rename_new(const char *path, const char *other) {
  if (rename_exclusively(path, other) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP && errno != EPERM) return -1;
  // Like an exclusive rename, link(2) fails with EEXIST if `other` exists.
  if (link(path, other) == 0) {
    // An NFS client that gets no answer sends the request again. If the first request has already
    // removed the name, the second one fails with ENOENT.
    if (unlink(path) == 0 || errno == ENOENT) return 0;
    const int kept = errno;
    unlink(other);
    errno = kept;
    return -1;
  }
  if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS) return -1;
  // Without links, only this check remains: rename(2) replaces a file that is created after the
  // check.
  struct stat status;
  if (lstat(other, &status) == 0) {
    errno = EEXIST;
    return -1;
  }
  if (errno != ENOENT) return -1;
  return rename(path, other);
}

// True if `number` is an error of a system call that the file system does not support. Other errors
// mean that a supported call failed.
static _Bool is_unsupported(int number) {
  return number == EINVAL || number == ENOTSUP || number == ENOTTY || number == EOPNOTSUPP;
}

OWN int ambient_synchronize_by(int (*full)(int), int (*usual)(int), int descriptor) {
  if (full(descriptor) == 0) return 0;
  if (!is_unsupported(errno)) return -1;
  return usual(descriptor);
}

OWN int ambient_allocate_by(
    int (*take)(int descriptor, _Bool gapless, int64_t more), int descriptor, int64_t count) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return -1;
  // st_blocks counts units of 512 bytes, regardless of the size of the file system's blocks.
  const int64_t more = count - (int64_t)status.st_blocks * 512;
  if (more > 0 && take(descriptor, 1, more) != 0 && take(descriptor, 0, more) != 0 &&
      !is_unsupported(errno))
    return -1;
  return (int64_t)status.st_size < count ? ftruncate(descriptor, (off_t)count) : 0;
}

#ifdef __APPLE__
// On Apple's systems, ftruncate(2) allocates no disk space, so if the disk is full, a process ends
// when it touches a mapped page of the file. F_PREALLOCATE allocates space after the file's
// allocated blocks (F_PEOFPOSMODE), all of it or none (F_ALLOCATEALL), and does not change the
// file's size.
static int preallocate(int descriptor, _Bool gapless, int64_t more) {
  fstore_t room = {0};
  room.fst_flags = F_ALLOCATEALL | (gapless ? F_ALLOCATECONTIG : 0);
  room.fst_posmode = F_PEOFPOSMODE;
  room.fst_length = more;
  return fcntl(descriptor, F_PREALLOCATE, &room);
}

OWN int ambient_allocate(int descriptor, int64_t count) {
  return ambient_allocate_by(preallocate, descriptor, count);
}
#else
OWN int ambient_allocate(int descriptor, int64_t count) {
  do errno = posix_fallocate(descriptor, 0, (off_t)count);
  while (errno == EINTR);
  return errno == 0 ? 0 : -1;
}
#endif

#ifdef __APPLE__
// On Apple's systems, fsync(2) leaves the bytes in the drive's cache, which a loss of power erases.
// F_FULLFSYNC also flushes this cache. Network file systems do not support F_FULLFSYNC.
static int synchronize_fully(int descriptor) { return fcntl(descriptor, F_FULLFSYNC); }

OWN int ambient_synchronize(int descriptor) {
  return ambient_synchronize_by(synchronize_fully, fsync, descriptor);
}
#else
OWN int ambient_synchronize(int descriptor) { return fdatasync(descriptor); }
#endif
