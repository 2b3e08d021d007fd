// SPDX-License-Identifier: Apache-2.0

#ifndef C_RING_QUEUE_H
#define C_RING_QUEUE_H

#include "CPlatform.h"

#include "CRing.h"

// Claims the ring for draining, without waiting. Returns false while another thread or a signal
// handler drains the ring, and in a signal handler that interrupted a thread that drains it.
// Async-signal-safe.
static inline _Bool ambient_drain_claim(struct ambient_mapping *lines) {
  uint32_t none = 0;
  return __atomic_compare_exchange_n(
      &lines->busy, &none, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

// Claims the right to drain; tries each 100 µs, `tries` times at most. Returns whether it has it.
_Bool ambient_drain_await(struct ambient_mapping *lines, int tries);

static inline void ambient_drain_release(struct ambient_mapping *lines) {
  __atomic_store_n(&lines->busy, 0, __ATOMIC_RELEASE);
}

static inline uint64_t ambient_ring_end(const struct ambient_mapping *lines) {
  return __atomic_load_n(&lines->end, __ATOMIC_ACQUIRE);
}

static inline uint64_t ambient_ring_start(const struct ambient_mapping *lines) {
  return __atomic_load_n(&lines->start, __ATOMIC_ACQUIRE);
}

// The address of `position` in the ring. At least `capacity` contiguous bytes start there, because
// the ring is mapped twice in a row.
static inline char *ambient_ring_memory(const struct ambient_mapping *lines, uint64_t position) {
  return (char *)lines->ring + lines->header_size + (position & (lines->capacity - 1));
}

// Appends a line or a record as a frame, if that leaves `reserve` bytes free. The caller holds the
// lock of the appending threads. Returns the number of waiting bytes, or -1 if there is no room.
ptrdiff_t ambient_ring_append(
    struct ambient_mapping *lines, const void *record, size_t count, int64_t time, size_t reserve);

struct ambient_gathered {
  // The numbers of copied bytes and lines, and the position of the next frame.
  size_t count, lines;
  uint64_t next;
};

// Copies the lines of the frames from `from` up to `until`, as many as fit into `capacity` bytes;
// stops at a damaged frame.
struct ambient_gathered ambient_lines_gather(
    const struct ambient_mapping *lines, uint64_t from, uint64_t until, void *to, size_t capacity);

// Sets the positions of the first waiting frame and of the next append, also in the file's header.
void ambient_ring_place(struct ambient_mapping *lines, uint64_t start, uint64_t end);

// Frees the room of the frames before `start`. Adds `count`, the number of lines in these frames,
// to the number of drained lines.
void ambient_ring_drained(struct ambient_mapping *lines, uint64_t start, size_t count);

// Records, in this process and in the ring's header, that the frames from `from` up to `until` are
// about to be written to a file of `size` bytes. If the write is cut short, a search of the file
// from offset `size` finds how much was written.
void ambient_lines_intend(
    struct ambient_mapping *lines, uint64_t device, uint64_t file, uint64_t size, uint64_t from,
    uint64_t until);

// Sets the descriptor to which signal handlers write the lines of the ring, and its file's device
// and inode; -1 if signal handlers must leave the ring alone. The caller has claimed the ring.
static inline void ambient_lines_direct(
    struct ambient_mapping *lines, int target, uint64_t device, uint64_t file) {
  lines->target_device = device;
  lines->target_file = file;
  __atomic_store_n(&lines->target, target, __ATOMIC_RELEASE);
}

#endif
