#ifndef C_RING_H
#define C_RING_H

#include <stddef.h>
#include <stdint.h>

// What was about to be written to a log's file when that had `size` bytes: the lines of the frames
// from `from` up to `until`.
struct ambient_intent {
  uint64_t device, file, size, from, until, check;
};

// The start of a file with a ring of frames behind it: a queue (`AmbQueue`, version 1) or a log's
// buffer, in the byte order of the machine. The header has 65,536 bytes; its first 32 mean the same in
// all versions.
//
// Counts are of words of 8 bytes, with a check in their upper 16 bits, so that one store commits both.
// Each stands twice; a process that is killed between both leaves the second older, so the greater of
// two that differ is right. An append writes the frame, then `committed`; a removal writes `drained`.
// Byte n of all that was ever appended stands at n modulo the capacity, a power of two.
struct ambient_ring {
  char magic[8];
  uint32_t header_size;
  uint32_t version;
  uint64_t capacity;
  // FNV-1a of the members before it.
  uint64_t check;
  // The process that has a queue open; zero in a log's buffer.
  uint32_t owner;
  uint8_t gap[28];
  // How much was ever appended; on a cache line of its own, as callers write it.
  uint64_t committed, committed_again;
  uint8_t second_gap[48];
  // How much of that was taken out again.
  uint64_t drained, drained_again;
  // From here on zero in a queue.
  struct ambient_intent intent;
  // How many lines were dropped and not reported yet; sealed like a count.
  uint64_t lost;
  uint64_t third_gap;
  // The file that the lines are for, with a zero at its end; for people.
  char path[3072];
};

// Where a copy of the header's first 32 bytes stands, in another page.
enum { ambient_ring_copy = 4096, ambient_ring_fixed = 32 };

static inline uint64_t ambient_sealed(uint64_t count) {
  count &= 0xFFFFFFFFFFFF;
  return count | ((count * 0x9E3779B97F4A7C15u + 0x5AFE) >> 48 << 48);
}

// The count without its check; all ones if that is wrong.
static inline uint64_t ambient_unsealed(uint64_t sealed) {
  const uint64_t count = sealed & 0xFFFFFFFFFFFF;
  return ambient_sealed(count) == sealed ? count : UINT64_MAX;
}

// Earlier stores reach memory before the counts do, whenever the process ends.
static inline void ambient_counts_store(uint64_t *first, uint64_t *second, uint64_t bytes) {
  const uint64_t sealed = ambient_sealed(bytes >> 3);
  __atomic_store_n(first, sealed, __ATOMIC_RELEASE);
  __atomic_store_n(second, sealed, __ATOMIC_RELEASE);
}

// Keeps the compiler from moving stores across it, so that they reach memory in this order,
// whenever the process ends.
static inline void ambient_stay_in_order(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

// FNV-1a of the bytes, going on from `check`.
static inline uint64_t ambient_mix(uint64_t check, const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    check = (check ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
  return check;
}

static inline uint64_t ambient_ring_check(const struct ambient_ring *ring) {
  return ambient_mix(0xCBF29CE484222325u, ring, offsetof(struct ambient_ring, check));
}

static inline uint64_t ambient_intent_check(const struct ambient_intent *intent) {
  uint64_t check = 0xCBF29CE484222325u;
  const uint64_t parts[] = {
      intent->device, intent->file, intent->size, intent->from, intent->until};
  for (int i = 0; i < 5; i++) check = (check ^ parts[i]) * 0x100000001B3u, check ^= check >> 29;
  return check;
}

// A ring that this process has mapped: what must not be read back from its file, which other
// processes may change.
//
// Records are never freed, since a handler of signals may read one at any time; an unused one is
// used again.
struct ambient_mapping {
  // The header, followed by the ring, twice in a row; null while the record is unused.
  struct ambient_ring *ring;
  size_t header_size, capacity;
  struct ambient_mapping *next;
  // Of lines: counts of bytes, where the first frame stands that waits, and where the next will.
  uint64_t end;
  uint64_t start;
  // How many lines were ever appended, and how many of them were drained.
  uint64_t appended_lines, drained_lines;
  struct ambient_intent intent;
  // Whether a thread, or a handler of signals, drains the ring. An unused record is busy.
  uint32_t busy;
  // The descriptor of the file that the lines are for, or -1: a handler of signals leaves it alone.
  int target;
  // Counts drains; threads wait for its change.
  uint32_t drains, waiters;
  // Whether the file's pages are mapped, or memory in their place since one was lost.
  uint32_t lost;
  // How many threads met a lost page after it was replaced.
  uint32_t latecomers;
};

enum { AMBIENT_RING_WHOLE, AMBIENT_RING_CHANGING, AMBIENT_RING_REPLACED };

// Maps the header and, twice in a row, the ring behind it, so that what goes around its end is in
// one piece; null with errno where that cannot be had.
struct ambient_mapping *ambient_ring_map(int descriptor, size_t header_size, size_t capacity);

// Maps another file of that size at the same addresses. No other thread may touch the ring.
_Bool ambient_ring_remap(struct ambient_mapping *mapping, int descriptor);

// Unmaps the ring, after a handler of signals that drains it.
void ambient_ring_unmap(struct ambient_mapping *mapping);

// Has the first bytes of the ring ready to be written to, where the system can do that at once.
void ambient_ring_warm(struct ambient_mapping *mapping, size_t count);

// The first of all records; others follow by `next`. Safe in a handler of signals.
struct ambient_mapping *ambient_mappings(void);

// Marks all records as unused, in a fork, which has none of its parent's rings.
void ambient_mappings_forked(void);

// Has forks close the file that keeps a ring locked.
void ambient_lock_enlist(int lock);

void ambient_lock_strike(int lock);

// Lets go, in a fork, of the locks that are its parent's.
void ambient_locks_forked(void);

// Makes the number stand for the other file, and lets no program have it that is started.
_Bool ambient_become(int number, int other);

// Whether the file lies on another machine, or where a mapping may not be shared.
_Bool ambient_is_remote(int descriptor);

// How often this process was forked from another that watched forks.
extern uint32_t ambient_fork_count;

static inline uint32_t ambient_forks(void) {
  return __atomic_load_n(&ambient_fork_count, __ATOMIC_RELAXED);
}

#endif
