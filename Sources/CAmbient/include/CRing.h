// SPDX-License-Identifier: Apache-2.0

#ifndef C_RING_H
#define C_RING_H

#include "CPlatform.h"

#include <stddef.h>
#include <stdint.h>

// A write to a log's file that may be incomplete. It appends the lines of the frames from `from` up
// to `until`. The file had `size` bytes before the write.
struct ambient_intent {
  uint64_t device, file, size, from, until, check;
};

// The header of a queue's file (`AmbQueue`, version 1) or of a log's buffer, in the machine's byte
// order; a ring of frames follows. The header takes 65,536 bytes; the first 24 mean the same in all
// versions.
//
// Counts are numbers of 8-byte words, with a check in the upper 16 bits, so that one store commits
// both. Each count is stored twice; a process killed between the two stores leaves the second copy
// older, so the greater of two valid copies is right. An append writes the frame, then `committed`;
// a removal writes `drained`. Byte n of all bytes ever appended is at offset n modulo the capacity,
// a power of two.
struct ambient_ring {
  char magic[8];
  uint32_t header_size;
  uint32_t version;
  uint64_t capacity;
  // The FNV-1a hash of the members above.
  uint64_t check;
  // The identifier of the process that has opened a queue; zero in a log's buffer.
  uint32_t owner;
  uint8_t gap[28];
  // Number of 8-byte words ever appended, as two sealed copies. They have a cache line of their
  // own, since the appending threads write them, and the draining thread writes the next members.
  uint64_t committed, committed_again;
  uint8_t second_gap[48];
  // Number of 8-byte words ever removed, as two sealed copies.
  uint64_t drained, drained_again;
  // In a queue, this member and all below are zero.
  struct ambient_intent intent;
  // Number of lines dropped and not reported yet. It is sealed like a count (ambient_sealed).
  uint64_t lost;
  uint64_t third_gap;
  // Path of the log's file, with a terminating zero; for people who look into the buffer.
  char path[3072];
};

// The offset of a copy of the header's first 32 bytes. The copy is in another page of 4 KiB, in
// case the first page is lost.
enum { ambient_ring_copy = 4096, ambient_ring_fixed = 32 };

static inline uint64_t ambient_sealed(uint64_t count) {
  count &= 0xFFFFFFFFFFFF;
  return count | ((count * 0x9E3779B97F4A7C15u + 0x5AFE) >> 48 << 48);
}

// The count without the check in its upper 16 bits; UINT64_MAX if the check is wrong.
static inline uint64_t ambient_unsealed(uint64_t sealed) {
  const uint64_t count = sealed & 0xFFFFFFFFFFFF;
  return ambient_sealed(count) == sealed ? count : UINT64_MAX;
}

// Stores a number of bytes, a multiple of 8, in two places, each time as a count of 8-byte words
// with a check (ambient_sealed). These are release stores, so that, whenever the process is killed,
// a file that contains the count also contains all earlier stores.
static inline void ambient_counts_store(uint64_t *first, uint64_t *second, uint64_t bytes) {
  const uint64_t sealed = ambient_sealed(bytes >> 3);
  __atomic_store_n(first, sealed, __ATOMIC_RELEASE);
  __atomic_store_n(second, sealed, __ATOMIC_RELEASE);
}

// A compiler barrier: the compiler moves no store across it. So, whenever the process is killed, a
// file that contains a store after the barrier also contains all stores before the barrier.
static inline void ambient_stay_in_order(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

// The FNV-1a hash of no bytes.
static const uint64_t ambient_mix_start = 0xCBF29CE484222325u;

// Continues the FNV-1a hash `check` with the bytes.
static inline uint64_t ambient_mix(uint64_t check, const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    check = (check ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
  return check;
}

static inline uint64_t ambient_ring_check(const struct ambient_ring *ring) {
  return ambient_mix(ambient_mix_start, ring, offsetof(struct ambient_ring, check));
}

static inline uint64_t ambient_intent_check(const struct ambient_intent *intent) {
  uint64_t check = ambient_mix_start;
  const uint64_t parts[] = {
      intent->device, intent->file, intent->size, intent->from, intent->until};
  for (int i = 0; i < 5; i++) check = (check ^ parts[i]) * 0x100000001B3u, check ^= check >> 29;
  return check;
}

// The record of a mapped ring: state that this process must not read back from the ring's file,
// since other processes may change the file.
//
// Records are reused, never freed, since a signal handler may read one at any time.
struct ambient_mapping {
  // The header, followed by the ring twice in a row; null while the record is unused.
  struct ambient_ring *ring;
  size_t header_size, capacity;
  struct ambient_mapping *next;
  // The device and the inode of the ring's file. The owner of the ring writes them.
  uint64_t device, file;
  // Positions of the next append, and of the first waiting frame, as counts of appended bytes.
  uint64_t end;
  uint64_t start;
  // Numbers of lines ever appended, and of those drained or reported as lost.
  uint64_t appended_lines, drained_lines;
  struct ambient_intent intent;
  // 1 while a thread or a signal handler drains the ring, and while the record is unused.
  uint32_t busy;
  // The descriptor that a signal handler drains to, -1 if it must leave the ring alone; and the
  // file's device and inode, by which the handler recognizes that the number belongs to another
  // file by now. The holder of `busy` writes the identity.
  int target;
  uint64_t target_device, target_file;
  // AMBIENT_RING_WHOLE while the file is mapped. If a thread accesses a page that the file has
  // lost, the thread replaces the mapped file by anonymous memory: the value is
  // AMBIENT_RING_CHANGING during this replacement, and AMBIENT_RING_REPLACED after it.
  uint32_t lost;
  // The number of times that a thread accessed a lost page, and its signal handler found the pages
  // already replaced. After 1,000 times, the handler gives up.
  uint32_t latecomers;
};

enum { AMBIENT_RING_WHOLE, AMBIENT_RING_CHANGING, AMBIENT_RING_REPLACED };

// Maps the header and, behind it, the ring twice in a row, so that a frame that wraps around the
// ring's end is contiguous. Returns null and sets errno on failure.
//
// On Linux, a further page is mapped, which no one accesses. A lock of the file (flock(2)) belongs
// to its open file description, and lasts as long as a mapping of that description. So the lock
// needs no descriptor, and it stays when lost pages are replaced.
struct ambient_mapping *ambient_ring_map(int descriptor, size_t header_size, size_t capacity);

// Maps another file of the same size, or the same file again, at the same addresses. No other
// thread may touch the ring. If `with_lock` is true, the page that keeps the lock is mapped again,
// too: the lock of the earlier file ends, and that of `descriptor` lasts.
_Bool ambient_ring_remap(struct ambient_mapping *mapping, int descriptor, _Bool with_lock);

// Waits until all bytes of the ring are on the disk. Returns zero, or -1 with errno. Used only on
// Linux, where msync(2) does for a mapping what fdatasync(2) does for a descriptor.
int ambient_ring_synchronize(const struct ambient_mapping *mapping);

// Maps memory without access in place of the file, which ends the lock. Only ambient_ring_unmap may
// follow.
void ambient_ring_let_go(struct ambient_mapping *mapping);

// Unmaps the ring. Before that, waits for a signal handler that drains the ring, about a second at
// most. If the handler drains for longer, the ring stays mapped.
void ambient_ring_unmap(struct ambient_mapping *mapping);

// Populates the ring's first `count` bytes for writing, so that the first appends meet no page
// faults. Has no effect where the system cannot do that in one call.
void ambient_ring_warm(struct ambient_mapping *mapping, size_t count);

// The first record in the list of this process's mapped rings; `next` leads to the others. Unused
// records stay in the list. Async-signal-safe.
struct ambient_mapping *ambient_mappings(void);

// Marks all records as unused in a forked process, where the parent's rings are not mapped.
void ambient_mappings_forked(void);

// Makes forked processes close the descriptor of a lock's file with this device and inode, until
// ambient_lock_strike is called. A fork that kept the descriptor would keep the file locked after
// this process is killed.
void ambient_lock_enlist(int descriptor, uint64_t device, uint64_t file);

void ambient_lock_strike(int descriptor);

// Closes the enlisted descriptors in a forked process, which inherited them from its parent.
void ambient_locks_forked(void);

// True if the file is on another machine, or on a file system (FUSE) that perhaps does not share
// mappings between processes.
_Bool ambient_is_remote(int descriptor);

// The number of forks that lead from the process that called ambient_watch_forks to this process:
// zero in that process, one in its forks, two in their forks, and so on.
extern uint32_t ambient_fork_count;

static inline uint32_t ambient_forks(void) {
  return __atomic_load_n(&ambient_fork_count, __ATOMIC_RELAXED);
}

#endif
