#ifndef C_BUFFER_H
#define C_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#include "CRing.h"

// The start of a file of lines on their way: the format of docs/file-log.md. The lines stand behind
// it, in a ring.
struct ambient_buffer {
  // Its check is also of the path. What is drained is known to stand in the file.
  struct ambient_ring ring;
  // What was about to be written when the file had that size: all from `from` up to `until`.
  struct ambient_intent {
    uint64_t device, file, size, from, until, check;
  } intent;
  // Whether somebody drains: a handler of signals keeps away then.
  uint32_t busy;
  // Where the lines go, with its end.
  char path[3072];
};

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
  __atomic_store_n(&buffer->ring.check, ambient_buffer_check(buffer), __ATOMIC_RELEASE);
}

// Lets a handler of signals know the buffer.
void ambient_buffer_enlist(struct ambient_buffer *buffer);

// Says where the buffer's lines go.
void ambient_buffer_direct(struct ambient_buffer *buffer, int target);

// Forgets the buffer, which nobody may claim any more.
void ambient_buffer_strike(struct ambient_buffer *buffer);

// Forgets, in a fork, the buffers that are its parent's.
void ambient_buffers_forked(void);

// Drains all buffers when the signal comes, by write(2) alone, and passes the signal on.
_Bool ambient_drain_at(int signal);

#endif
