#define _GNU_SOURCE
#include "CRing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CRingQueue.h"
#include "Visibility.h"

#ifdef __linux__
#include <sys/vfs.h>
#else
#include <mach/vm_inherit.h>
#include <sys/mount.h>
#include <sys/param.h>
#endif

static _Atomic(struct ambient_mapping *) mappings;

OWN struct ambient_mapping *ambient_mappings(void) { return atomic_load(&mappings); }

// Maps the header and the ring, and then the ring again, directly after its first mapping. This
// process must have reserved the range, so that MAP_FIXED replaces no other mapping.
static _Bool map_over(char *range, int descriptor, size_t header_size, size_t capacity) {
  const int access = PROT_READ | PROT_WRITE, how = MAP_SHARED | MAP_FIXED;
  if (mmap(range, header_size + capacity, access, how, descriptor, 0) == MAP_FAILED ||
      mmap(range + header_size + capacity, capacity, access, how, descriptor, (off_t)header_size) ==
          MAP_FAILED)
    return 0;
#ifdef MADV_DONTFORK
  // A fork must not write into its parent's ring.
  madvise(range, header_size + 2 * capacity, MADV_DONTFORK);
#elif defined(__APPLE__)
  minherit(range, header_size + 2 * capacity, VM_INHERIT_NONE);
#endif
  return 1;
}

// Takes an unused record, or makes one. Returns null if there is no memory. Lock-free.
static struct ambient_mapping *take_record(void) {
  for (struct ambient_mapping *all = ambient_mappings(); all; all = all->next) {
    struct ambient_ring *none = __atomic_load_n(&all->ring, __ATOMIC_ACQUIRE);
    // A record whose `ring` is not null is in use, so it is skipped. UINTPTR_MAX means that another
    // thread is filling the record.
    if (none) continue;
    if (__atomic_compare_exchange_n(
            &all->ring, &none, (struct ambient_ring *)UINTPTR_MAX, 0, __ATOMIC_ACQ_REL,
            __ATOMIC_RELAXED)) {
      // Resets `target` and `busy`, because a signal handler may have used the record until just
      // now.
      __atomic_store_n(&all->target, -1, __ATOMIC_RELEASE);
      __atomic_store_n(&all->busy, 1, __ATOMIC_RELEASE);
      return all;
    }
  }
  struct ambient_mapping *made = calloc(1, sizeof(*made));
  if (!made) return NULL;
  made->busy = 1;
  made->ring = (struct ambient_ring *)UINTPTR_MAX;
  made->next = ambient_mappings();
  while (!atomic_compare_exchange_weak(&mappings, &made->next, made));
  return made;
}

OWN struct ambient_mapping *ambient_ring_map(int descriptor, size_t header_size, size_t capacity) {
  struct ambient_mapping *record = take_record();
  if (!record) return NULL;
  const size_t all = header_size + 2 * capacity;
  char *range = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
  if (range == MAP_FAILED || !map_over(range, descriptor, header_size, capacity)) {
    const int why = errno;
    if (range != MAP_FAILED) munmap(range, all);
    __atomic_store_n(&record->ring, NULL, __ATOMIC_RELEASE);
    errno = why;
    return NULL;
  }
  record->header_size = header_size;
  record->capacity = capacity;
  record->start = record->end = record->appended_lines = record->drained_lines = 0;
  record->intent = (struct ambient_intent){0};
  record->target = -1;
  record->drains = record->waiters = record->lost = record->latecomers = 0;
  __atomic_store_n(&record->ring, (struct ambient_ring *)range, __ATOMIC_RELEASE);
  // Releases the record last, so that a signal handler that can claim the record finds it complete.
  ambient_drain_release(record);
  return record;
}

OWN _Bool ambient_ring_remap(struct ambient_mapping *mapping, int descriptor) {
  if (!map_over((char *)mapping->ring, descriptor, mapping->header_size, mapping->capacity))
    return 0;
  mapping->latecomers = 0;
  __atomic_store_n(&mapping->lost, AMBIENT_RING_WHOLE, __ATOMIC_RELEASE);
  return 1;
}

OWN void ambient_ring_unmap(struct ambient_mapping *mapping) {
  // Tries for about a second to claim the mapping's record. The claim fails while a signal handler
  // on another thread drains the ring, which takes as long as a write.
  _Bool is_claimed = 0;
  for (int i = 0; i < 10000 && !(is_claimed = ambient_drain_claim(mapping)); i++) usleep(100);
  // The target is cleared before the memory is unmapped. A handler that claims the record from here
  // on finds no target.
  __atomic_store_n(&mapping->target, -1, __ATOMIC_RELEASE);
  // If the record is not claimed, a handler is still draining. It goes on to use the record and the
  // memory, so the record is never reused, and the memory stays mapped.
  if (!is_claimed) return;
  struct ambient_ring *const ring = mapping->ring;
  __atomic_store_n(&mapping->ring, NULL, __ATOMIC_RELEASE);
  munmap(ring, mapping->header_size + 2 * mapping->capacity);
}

OWN void ambient_mappings_forked(void) {
  for (struct ambient_mapping *all = ambient_mappings(); all; all = all->next) {
    __atomic_store_n(&all->busy, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&all->ring, NULL, __ATOMIC_RELEASE);
  }
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

OWN void ambient_ring_warm(struct ambient_mapping *mapping, size_t count) {
#ifdef __linux__
  // 23 is MADV_POPULATE_WRITE, which Linux has since version 5.14. An older kernel rejects it, so
  // the call has no effect there.
  madvise((char *)mapping->ring + mapping->header_size, count, 23);
#else
  (void)mapping, (void)count;
#endif
}

// An entry in the list of locked files: this process's rings, and its other locks. `file` is the
// descriptor of the file plus one, or zero in a free entry. Entries are reused, never freed.
struct lock {
  atomic_int file;
  struct lock *next;
};

static _Atomic(struct lock *) locks;

// Replaces `number` in the list by `other`. Returns false if the list does not contain `number`.
// Lock-free.
static _Bool replace_lock(int number, int other) {
  for (struct lock *lock = atomic_load(&locks); lock; lock = lock->next) {
    int known = number;
    if (atomic_compare_exchange_strong(&lock->file, &known, other)) return 1;
  }
  return 0;
}

OWN void ambient_lock_enlist(int file) {
  if (replace_lock(0, file + 1)) return;
  struct lock *made = malloc(sizeof(*made));
  if (!made) return;
  atomic_init(&made->file, file + 1);
  made->next = atomic_load(&locks);
  while (!atomic_compare_exchange_weak(&locks, &made->next, made));
}

OWN void ambient_lock_strike(int file) { replace_lock(file + 1, 0); }

OWN void ambient_locks_forked(void) {
  for (struct lock *lock = atomic_load(&locks); lock; lock = lock->next) {
    // The child closes its copy of the descriptor, because an open copy would keep the parent's
    // file locked after the parent's death.
    const int file = atomic_exchange(&lock->file, 0);
    if (file) close(file - 1);
  }
}
