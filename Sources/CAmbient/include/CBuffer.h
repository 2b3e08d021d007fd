#ifndef C_BUFFER_H
#define C_BUFFER_H

#include <stddef.h>
#include <stdint.h>

// The start of a file of lines on their way: the format of docs/file-log.md. The lines stand behind
// it, in a ring. A count has its own check in its upper 16 bits, so that one store commits both.
struct ambient_buffer {
  char magic[8];
  uint32_t header_size;
  uint32_t version;
  uint64_t capacity;
  // Of what stands before, and of the path.
  uint64_t check;
  // How many bytes were ever appended; on a cache line of its own, as callers write it.
  uint8_t gap[32];
  uint64_t committed;
  // How many of them are known to stand in the file; the one who drains writes it.
  uint8_t second_gap[56];
  uint64_t drained;
  // What was about to be written when the file had that size: all from `from` up to `until`.
  struct ambient_intent {
    uint64_t device, file, size, from, until, check;
  } intent;
  // Whether somebody drains: a handler of signals keeps away then.
  uint32_t busy;
  // Where the lines go, with its end.
  char path[3072];
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

static inline uint64_t ambient_intent_check(const struct ambient_intent *intent) {
  uint64_t check = 0xCBF29CE484222325u;
  const uint64_t parts[] = {
      intent->device, intent->file, intent->size, intent->from, intent->until};
  for (int i = 0; i < 5; i++) check = (check ^ parts[i]) * 0x100000001B3u, check ^= check >> 29;
  return check;
}

// Writes down what is about to be written.
static inline void ambient_intend(
    struct ambient_buffer *buffer, uint64_t device, uint64_t file, uint64_t size, uint64_t from,
    uint64_t until) {
  // Not valid while it changes.
  __atomic_store_n(&buffer->intent.check, 0, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  buffer->intent.device = device;
  buffer->intent.file = file;
  buffer->intent.size = size;
  buffer->intent.from = from;
  buffer->intent.until = until;
  __atomic_store_n(&buffer->intent.check, ambient_intent_check(&buffer->intent), __ATOMIC_RELEASE);
}

// Whether the caller may drain now; else a handler of signals, or the thread that it interrupted, does.
static inline _Bool ambient_buffer_claim(struct ambient_buffer *buffer) {
  uint32_t none = 0;
  return __atomic_compare_exchange_n(
      &buffer->busy, &none, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void ambient_buffer_release(struct ambient_buffer *buffer) {
  __atomic_store_n(&buffer->busy, 0, __ATOMIC_RELEASE);
}

// What the header's own check must be.
uint64_t ambient_buffer_check(const struct ambient_buffer *buffer);

// Writes the header's own check, after all else stands in memory.
static inline void ambient_seal(struct ambient_buffer *buffer) {
  __atomic_store_n(&buffer->check, ambient_buffer_check(buffer), __ATOMIC_RELEASE);
}

// Maps the header and, twice in a row, the ring behind it, so that what goes around its end is in
// one piece; null with errno where that cannot be had.
struct ambient_buffer *ambient_buffer_map(int descriptor, size_t header_size, size_t capacity);

// Makes the number stand for the other file, and lets no program have it that is started.
_Bool ambient_become(int number, int other);

void ambient_buffer_unmap(struct ambient_buffer *buffer, size_t header_size, size_t capacity);

// Whether the file lies on another machine, or where a mapping may not be shared.
_Bool ambient_is_remote(int descriptor);

// How often this process was forked from another that watched forks.
extern uint32_t ambient_fork_count;

static inline uint32_t ambient_forks(void) {
  return __atomic_load_n(&ambient_fork_count, __ATOMIC_RELAXED);
}

// Lets a handler of signals, and forks, know the buffer, and the file that keeps it locked.
void ambient_buffer_enlist(struct ambient_buffer *buffer, int lock);

// Says where the buffer's lines go.
void ambient_buffer_direct(struct ambient_buffer *buffer, int target);

// Forgets the buffer, which nobody may claim any more.
void ambient_buffer_strike(struct ambient_buffer *buffer);

// Lets go, in a fork, of what is its parent's.
void ambient_buffers_forked(void);

// Drains all buffers when the signal comes, by write(2) alone, and passes the signal on.
_Bool ambient_drain_at(int signal);

#endif
