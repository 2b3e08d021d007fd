// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CRing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CFiles.h"
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

// The size of the ring's whole range: the header, the ring twice, and the page that keeps the
// lock. The page takes as many bytes as the header, a multiple of each system's page size.
static size_t range_size(size_t header_size, size_t capacity) {
  return 2 * header_size + 2 * capacity;
}

// Forks do not inherit the range: a fork must neither write into its parent's ring nor hold the
// parent's lock.
static void keep_from_forks(char *range, size_t size) {
#ifdef MADV_DONTFORK
  madvise(range, size, MADV_DONTFORK);
#elif defined(__APPLE__)
  minherit(range, size, VM_INHERIT_NONE);
#endif
}

// Maps the header and the ring, then the ring again, directly after its first mapping, and the page
// that keeps the lock if `with_lock` is true. This process must have reserved the range, so that
// MAP_FIXED replaces no other mapping.
static _Bool map_over(
    char *range, int descriptor, size_t header_size, size_t capacity, _Bool with_lock) {
  const int access = PROT_READ | PROT_WRITE, how = MAP_SHARED | MAP_FIXED;
  const size_t once = header_size + capacity;
  if (mmap(range, once, access, how, descriptor, 0) == MAP_FAILED ||
      mmap(range + once, capacity, access, how, descriptor, (off_t)header_size) == MAP_FAILED)
    return 0;
#ifdef __linux__
  if (with_lock &&
      mmap(range + once + capacity, header_size, PROT_NONE, how, descriptor, 0) == MAP_FAILED)
    return 0;
#else
  (void)with_lock;
#endif
  keep_from_forks(range, range_size(header_size, capacity));
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
  const size_t all = range_size(header_size, capacity);
  char *range = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
  if (range == MAP_FAILED || !map_over(range, descriptor, header_size, capacity, 1)) {
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
  record->lost = record->latecomers = 0;
  __atomic_store_n(&record->ring, (struct ambient_ring *)range, __ATOMIC_RELEASE);
  // Releases the record last, so that a signal handler that can claim the record finds it complete.
  ambient_drain_release(record);
  return record;
}

OWN _Bool ambient_ring_remap(struct ambient_mapping *mapping, int descriptor, _Bool with_lock) {
  char *range = (char *)mapping->ring;
  if (!map_over(range, descriptor, mapping->header_size, mapping->capacity, with_lock)) return 0;
  mapping->latecomers = 0;
  __atomic_store_n(&mapping->lost, AMBIENT_RING_WHOLE, __ATOMIC_RELEASE);
  return 1;
}

OWN int ambient_ring_synchronize(const struct ambient_mapping *mapping) {
  return msync(mapping->ring, mapping->header_size + mapping->capacity, MS_SYNC);
}

OWN void ambient_ring_let_go(struct ambient_mapping *mapping) {
  const size_t all = range_size(mapping->header_size, mapping->capacity);
  const int how = MAP_PRIVATE | MAP_ANON | MAP_FIXED;
  if (mmap(mapping->ring, all, PROT_NONE, how, -1, 0) != MAP_FAILED)
    keep_from_forks((char *)mapping->ring, all);
}

OWN _Bool ambient_drain_await(struct ambient_mapping *lines, int tries) {
  for (; tries; tries--, usleep(100))
    if (ambient_drain_claim(lines)) return 1;
  return 0;
}

OWN void ambient_ring_unmap(struct ambient_mapping *mapping) {
  // Tries for about a second to claim the mapping's record. The claim fails while a signal handler
  // on another thread drains the ring, which takes as long as a write.
  const _Bool is_claimed = ambient_drain_await(mapping, 10000);
  // The target is cleared before the memory is unmapped. A handler that claims the record from here
  // on finds no target.
  __atomic_store_n(&mapping->target, -1, __ATOMIC_RELEASE);
  // If the record is not claimed, a handler is still draining. It continues to use the record and
  // the memory, so the record is never reused, and the memory stays mapped.
  if (!is_claimed) return;
  struct ambient_ring *const ring = mapping->ring;
  __atomic_store_n(&mapping->ring, NULL, __ATOMIC_RELEASE);
  munmap(ring, range_size(mapping->header_size, mapping->capacity));
}

OWN void ambient_mappings_forked(void) {
  for (struct ambient_mapping *all = ambient_mappings(); all; all = all->next) {
    __atomic_store_n(&all->busy, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&all->ring, NULL, __ATOMIC_RELEASE);
  }
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

// An entry in the list of locks' files. `descriptor` is the number plus one, or zero in a free
// entry; below zero, a thread is filling the entry. Entries are reused, never freed.
struct lock {
  atomic_int descriptor;
  uint64_t device, file;
  struct lock *next;
};

static _Atomic(struct lock *) locks;

// Replaces `number` in the list by `other`. Returns the entry, or null if the list does not contain
// `number`. Lock-free.
static struct lock *replace_lock(int number, int other) {
  for (struct lock *lock = atomic_load(&locks); lock; lock = lock->next) {
    int known = number;
    if (atomic_compare_exchange_strong(&lock->descriptor, &known, other)) return lock;
  }
  return NULL;
}

OWN void ambient_lock_enlist(int descriptor, uint64_t device, uint64_t file) {
  struct lock *lock = replace_lock(0, -1);
  if (!lock) {
    lock = malloc(sizeof(*lock));
    if (!lock) return;
    atomic_init(&lock->descriptor, -1);
    lock->next = atomic_load(&locks);
    while (!atomic_compare_exchange_weak(&locks, &lock->next, lock));
  }
  lock->device = device;
  lock->file = file;
  atomic_store(&lock->descriptor, descriptor + 1);
}

OWN void ambient_lock_strike(int descriptor) { replace_lock(descriptor + 1, 0); }

OWN void ambient_locks_forked(void) {
  for (struct lock *lock = atomic_load(&locks); lock; lock = lock->next) {
    // The child closes its copy of the descriptor, because an open copy would keep the parent's
    // file locked after the parent's death.
    const int descriptor = atomic_exchange(&lock->descriptor, 0) - 1;
    if (descriptor >= 0 && ambient_size_if(descriptor, lock->device, lock->file) >= 0)
      close(descriptor);
  }
}
