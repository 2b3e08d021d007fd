#ifndef C_RING_H
#define C_RING_H

#include <stddef.h>
#include <stdint.h>

// The start of a file with a ring of bytes behind it. A count has its own check in its upper 16 bits,
// so that one store commits both.
struct ambient_ring {
  char magic[8];
  uint32_t header_size;
  uint32_t version;
  uint64_t capacity;
  // Of what stands before.
  uint64_t check;
  // The process that has a queue; zero in a buffer of lines.
  uint32_t owner;
  uint8_t gap[28];
  // How much was ever appended; on a cache line of its own, as callers write it.
  uint64_t committed;
  // The same once more in a queue; zero in a buffer of lines.
  uint64_t committed_again;
  uint8_t second_gap[48];
  // How much of that is done with; the one who drains writes it.
  uint64_t drained;
};

static inline uint64_t ambient_sealed(uint64_t count) {
  count &= 0xFFFFFFFFFFFF;
  return count | ((count * 0x9E3779B97F4A7C15u + 0x5AFE) >> 48 << 48);
}

// The count without its check; all ones if that is wrong.
static inline uint64_t ambient_unsealed(uint64_t sealed) {
  const uint64_t count = sealed & 0xFFFFFFFFFFFF;
  return ambient_sealed(count) == sealed ? count : UINT64_MAX;
}

static inline uint64_t ambient_count_load(const uint64_t *place) {
  return ambient_unsealed(__atomic_load_n(place, __ATOMIC_ACQUIRE));
}

// What was written before stands in memory before the count does, whenever the process ends.
static inline void ambient_count_store(uint64_t *place, uint64_t count) {
  __atomic_store_n(place, ambient_sealed(count), __ATOMIC_RELEASE);
}

// What is written from here on stands in memory after what was written before, whenever the process
// ends: the compiler leaves it so.
static inline void ambient_stay_in_order(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

// What a check begins with, and with more of what is checked (FNV-1a).
static inline uint64_t ambient_mix(uint64_t check, const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    check = (check ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
  return check;
}

static inline uint64_t ambient_ring_check(const struct ambient_ring *ring) {
  return ambient_mix(0xCBF29CE484222325u, ring, offsetof(struct ambient_ring, check));
}

// Maps the header and, twice in a row, the ring behind it, so that what goes around its end is in
// one piece; null with errno where that cannot be had.
struct ambient_ring *ambient_ring_map(int descriptor, size_t header_size, size_t capacity);

void ambient_ring_unmap(struct ambient_ring *ring, size_t header_size, size_t capacity);

// Has the first bytes of the ring ready to be written to, where the system can do that at once.
void ambient_ring_warm(struct ambient_ring *ring, size_t header_size, size_t count);

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
