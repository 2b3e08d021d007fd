#define _GNU_SOURCE
#include "CRing.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "Table.h"

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

OWN struct ambient_ring *ambient_ring_map(int descriptor, size_t header_size, size_t capacity) {
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
  // A fork has a ring of its own, and must not write into its parent's.
  madvise(range, all, MADV_DONTFORK);
#endif
  return (struct ambient_ring *)range;
}

OWN void ambient_ring_unmap(struct ambient_ring *ring, size_t header_size, size_t capacity) {
  munmap(ring, header_size + 2 * capacity);
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

OWN void ambient_ring_warm(struct ambient_ring *ring, size_t header_size, size_t count) {
#ifdef __linux__
  // MADV_POPULATE_WRITE, since Linux 5.14.
  madvise((char *)ring + header_size, count, 23);
#else
  (void)ring, (void)header_size, (void)count;
#endif
}

// The files that keep this process's rings locked, and those of other locks: one more than their numbers.
static struct table locks;

OWN void ambient_lock_enlist(int lock) { ambient_table_add(&locks, (uintptr_t)lock + 1, 0); }

OWN void ambient_lock_strike(int lock) {
  struct table_place *place = ambient_table_find(&locks, (uintptr_t)lock + 1);
  if (place) atomic_store(&place->key, 0);
}

OWN void ambient_locks_forked(void) {
  FOR_EACH_PLACE(place, &locks) {
    // Else the parent's ring would stay locked after its death.
    const uintptr_t lock = atomic_exchange(&place->key, 0);
    close((int)lock - 1);
  }
}
