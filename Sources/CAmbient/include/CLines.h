#ifndef C_LINES_H
#define C_LINES_H

#include "CRing.h"

// Whether the caller may drain now; false while a handler of signals, or the thread that it
// interrupted, does.
static inline _Bool ambient_drain_claim(struct ambient_mapping *lines) {
  uint32_t none = 0;
  return __atomic_compare_exchange_n(
      &lines->busy, &none, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void ambient_drain_release(struct ambient_mapping *lines) {
  __atomic_store_n(&lines->busy, 0, __ATOMIC_RELEASE);
}

static inline uint64_t ambient_ring_end(const struct ambient_mapping *lines) {
  return __atomic_load_n(&lines->end, __ATOMIC_ACQUIRE);
}

static inline uint64_t ambient_ring_start(const struct ambient_mapping *lines) {
  return __atomic_load_n(&lines->start, __ATOMIC_ACQUIRE);
}

// Appends a line or a record as a frame if that leaves `reserve` bytes free. The caller has the lock of
// threads that append. Returns how many bytes wait now, or -1 if there was no room.
ptrdiff_t ambient_ring_append(
    struct ambient_mapping *lines, const void *record, size_t count, int64_t time, size_t reserve);

struct ambient_gathered {
  // How many bytes and lines were copied, and where the next frame stands.
  size_t count, lines;
  uint64_t next;
};

// Copies the lines of the frames from `from` on, up to `until` and as many as have room in `capacity`
// bytes; ends at a frame that is not intact.
struct ambient_gathered ambient_lines_gather(
    const struct ambient_mapping *lines, uint64_t from, uint64_t until, void *to, size_t capacity);

// Sets where the first waiting frame and the next one stand, in the file, too.
void ambient_ring_place(struct ambient_mapping *lines, uint64_t start, uint64_t end);

// Notes that the frames before that place are done with, so many lines among them: their room is free.
void ambient_ring_drained(struct ambient_mapping *lines, uint64_t start, size_t count);

// Notes which frames are about to be written, and where to.
void ambient_lines_intend(
    struct ambient_mapping *lines, uint64_t device, uint64_t file, uint64_t size, uint64_t from,
    uint64_t until);

// Says which file the lines are for; -1 for none.
static inline void ambient_lines_direct(struct ambient_mapping *lines, int target) {
  __atomic_store_n(&lines->target, target, __ATOMIC_RELEASE);
}

static inline uint32_t ambient_drains(const struct ambient_mapping *lines) {
  return __atomic_load_n(&lines->drains, __ATOMIC_ACQUIRE);
}

// Waits until the count of drains is another than `seen`, or so many nanoseconds at most.
void ambient_drains_await(struct ambient_mapping *lines, uint32_t seen, int64_t nanoseconds);

// Counts a drain, and wakes all threads that wait for it.
void ambient_drains_add(struct ambient_mapping *lines);

// Drains all rings of lines when the signal comes, by writev(2) alone, and passes the signal on.
_Bool ambient_drain_at(int signal);

#endif
