#define _GNU_SOURCE
#include "CBuffer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/vfs.h>
#else
#include <sys/mount.h>
#include <sys/param.h>
#endif

#ifdef __ELF__
#define OWN __attribute__((visibility("protected")))
#else
#define OWN
#endif

static uint64_t mix(uint64_t check, const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    check = (check ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
  return check;
}

OWN uint64_t ambient_buffer_check(const struct ambient_buffer *buffer) {
  const uint64_t head = mix(
      0xCBF29CE484222325u, buffer, offsetof(struct ambient_buffer, check));
  return mix(head, buffer->path, sizeof(buffer->path));
}

OWN struct ambient_buffer *ambient_buffer_map(int descriptor, size_t header_size, size_t capacity) {
  const size_t all = header_size + 2 * capacity;
  // Valid: the whole range is taken first, so that nothing else is where the parts are put.
  char *range = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
  if (range == MAP_FAILED) return NULL;
  const int access = PROT_READ | PROT_WRITE, how = MAP_SHARED | MAP_FIXED;
  if (mmap(range, header_size + capacity, access, how, descriptor, 0) == MAP_FAILED ||
      mmap(range + header_size + capacity, capacity, access, how, descriptor, header_size) ==
          MAP_FAILED) {
    const int why = errno;
    munmap(range, all);
    errno = why;
    return NULL;
  }
#ifdef MADV_DONTFORK
  // A fork has a buffer of its own, and must not write into its parent's.
  madvise(range, all, MADV_DONTFORK);
#endif
  return (struct ambient_buffer *)range;
}

OWN void ambient_buffer_unmap(struct ambient_buffer *buffer, size_t header_size, size_t capacity) {
  munmap(buffer, header_size + 2 * capacity);
}

OWN _Bool ambient_become(int number, int other) {
#ifdef __linux__
  return dup3(other, number, O_CLOEXEC) >= 0;
#else
  return dup2(other, number) >= 0 && fcntl(number, F_SETFD, FD_CLOEXEC) == 0;
#endif
}

OWN _Bool ambient_is_remote(int descriptor) {
  struct statfs system;
  if (fstatfs(descriptor, &system) != 0) return 0;
#ifdef __linux__
  switch ((uint32_t)system.f_type) {
    case 0x6969:      // NFS
    case 0x517B:      // SMB
    case 0xFF534D42:  // CIFS
    case 0xFE534D42:  // SMB 2
    case 0x01021997:  // 9P
    case 0x65735546:  // FUSE
      return 1;
    default: return 0;
  }
#else
  return (system.f_flags & MNT_LOCAL) == 0;
#endif
}

enum { most_buffers = 64 };

// A buffer of this process's, the file that keeps it locked, and where its lines go, or -1.
static struct listed {
  _Atomic(struct ambient_buffer *) buffer;
  atomic_int lock;
  atomic_int target;
} listed[most_buffers];

// Stands for a buffer while its place is filled.
static struct ambient_buffer nobody;

OWN void ambient_buffer_enlist(struct ambient_buffer *buffer, int lock) {
  for (int i = 0; i < most_buffers; i++) {
    struct ambient_buffer *none = NULL;
    if (!atomic_compare_exchange_strong(&listed[i].buffer, &none, &nobody)) continue;
    atomic_store(&listed[i].lock, lock);
    atomic_store(&listed[i].target, -1);
    atomic_store(&listed[i].buffer, buffer);
    return;
  }
}

OWN void ambient_buffer_direct(struct ambient_buffer *buffer, int target) {
  for (int i = 0; i < most_buffers; i++)
    if (atomic_load(&listed[i].buffer) == buffer) atomic_store(&listed[i].target, target);
}

OWN void ambient_buffer_strike(struct ambient_buffer *buffer) {
  // A handler of signals on another thread may be at it, for as long as a write lasts.
  for (int i = 0; i < 10000 && !ambient_buffer_claim(buffer); i++) usleep(100);
  for (int i = 0; i < most_buffers; i++)
    if (atomic_load(&listed[i].buffer) == buffer) atomic_store(&listed[i].buffer, NULL);
}

OWN void ambient_buffers_forked(void) {
  for (int i = 0; i < most_buffers; i++) {
    struct ambient_buffer *buffer = atomic_exchange(&listed[i].buffer, NULL);
    // Else the parent's buffer would stay locked after its death.
    if (buffer && buffer != &nobody) close(atomic_load(&listed[i].lock));
  }
}

// Writes what a buffer holds, by what signal-safety(7) allows. What is left has the next opening.
static void write_out(struct ambient_buffer *buffer, int descriptor) {
  const uint64_t end = ambient_count_load(&buffer->committed);
  uint64_t from = ambient_count_load(&buffer->drained);
  const char *ring = (const char *)buffer + buffer->header_size;
  struct stat status;
  // An intent that is not settled is the next opening's, too.
  if (buffer->intent.until > from || fstat(descriptor, &status) != 0) return;
  ambient_intend(
      buffer, (uint64_t)status.st_dev, (uint64_t)status.st_ino, (uint64_t)status.st_size, from,
      end);
  while (from < end) {
    // Valid: the ring is mapped twice, and holds no more than its capacity.
    const ssize_t written = write(descriptor, ring + from % buffer->capacity, end - from);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    from += (uint64_t)written;
  }
  ambient_count_store(&buffer->drained, end);
}

static struct sigaction before[NSIG];
static atomic_bool taken[NSIG];

static void on_signal(int signal, siginfo_t *info, void *context) {
  (void)context;
  const int kept = errno;
  for (int i = 0; i < most_buffers; i++) {
    struct ambient_buffer *buffer = atomic_load(&listed[i].buffer);
    if (!buffer || buffer == &nobody) continue;
    const int target = atomic_load(&listed[i].target);
    if (target < 0 || !ambient_buffer_claim(buffer)) continue;
    write_out(buffer, target);
    ambient_buffer_release(buffer);
  }
  errno = kept;
  // Passed on: what the program had set, or the system's way, gets it when this handler returns.
  sigaction(signal, &before[signal], NULL);
  // An instruction that failed fails again, with all that the system says of it; but for a trap,
  // behind which the program would go on.
  if (info && info->si_code > 0 && signal != SIGTRAP) return;
  raise(signal);
}

OWN _Bool ambient_drain_at(int signal) {
  if (signal <= 0 || signal >= NSIG) {
    errno = EINVAL;
    return 0;
  }
  struct sigaction now;
  if (sigaction(signal, NULL, &now) != 0) return 0;
  // What is ignored ends nothing, and stays ignored in programs that are started.
  if (now.sa_handler == SIG_IGN) return 1;
  // Once: a handler that was set since may call ours.
  if (atomic_exchange(&taken[signal], 1)) return 1;
  before[signal] = now;
  struct sigaction action = {0};
  action.sa_sigaction = on_signal;
  // On the stack that the program set aside, if it did: its own may be full.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | (now.sa_flags & SA_RESTART);
  sigfillset(&action.sa_mask);
  return sigaction(signal, &action, NULL) == 0;
}
