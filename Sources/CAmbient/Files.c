#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "Own.h"

// Fails with EINVAL, ENOSYS or ENOTSUP if the system or the file system has no exclusive rename.
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

OWN int ambient_rename_new(const char *path, const char *other) {
  if (rename_exclusively(path, other) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return -1;
  // link(2) fails with EEXIST, too.
  if (link(path, other) == 0) return unlink(path);
  if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS) return -1;
  // Without links, only this check remains: rename(2) replaces a file that is created after it.
  struct stat status;
  if (lstat(other, &status) == 0) {
    errno = EEXIST;
    return -1;
  }
  return rename(path, other);
}

OWN int ambient_synchronize_by(int (*full)(int), int (*usual)(int), int descriptor) {
  if (full(descriptor) == 0) return 0;
  // File systems that do not support `full` answer so; any other failure is the disk's.
  if (errno != EINVAL && errno != ENOTSUP && errno != ENOTTY && errno != EOPNOTSUPP) return -1;
  return usual(descriptor);
}

#ifdef __APPLE__
// On Apple's systems, fsync(2) leaves the bytes in the drive's cache, which a loss of power erases;
// F_FULLFSYNC flushes that, too. Network file systems do not support it.
static int synchronize_fully(int descriptor) { return fcntl(descriptor, F_FULLFSYNC); }

OWN int ambient_synchronize(int descriptor) {
  return ambient_synchronize_by(synchronize_fully, fsync, descriptor);
}
#else
OWN int ambient_synchronize(int descriptor) { return fdatasync(descriptor); }
#endif
