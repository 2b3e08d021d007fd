// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CRingQueue.h"

#include "CRingFrames.h"
#include "Visibility.h"

// Also on the caller of fetch_ahead: a function is inlined only into one that may use the
// instructions of its target.
#if defined(__x86_64__)
#define WITH_PREFETCH __attribute__((target("prfchw")))
#else
#define WITH_PREFETCH
#endif

// Prefetches, for writing, the cache lines that later appends write to. The draining thread's core
// still holds them, so without the prefetch the stores of a later append would miss the cache, and
// the release of the lock would wait for these stores. A no-op on older processors.
WITH_PREFETCH
static void fetch_ahead(const char *place, size_t size) {
  for (size_t i = 0; i < size; i += 64) __builtin_prefetch(place + 256 + i, 1);
}

WITH_PREFETCH
OWN ptrdiff_t ambient_ring_append(
    struct ambient_mapping *lines, const void *record, size_t count, int64_t time, size_t reserve) {
  const uint64_t end = __atomic_load_n(&lines->end, __ATOMIC_RELAXED);
  const size_t size = ambient_frame_size(count);
  const size_t waiting = end - ambient_ring_start(lines);
  if (size + reserve > lines->capacity - waiting) return -1;
  ambient_frame_write(ambient_ring_memory(lines, end), end, time, record, count);
  // Prefetches at most 1,024 bytes, the size of a long line, because prefetching a record of
  // megabytes would evict everything else from the cache.
  fetch_ahead(ambient_ring_memory(lines, end) + size, size < 1024 ? size : 1024);
  lines->appended_lines++;
  __atomic_store_n(&lines->end, end + size, __ATOMIC_RELEASE);
  // This store comes last, so that all frames before the position in the header are complete. If
  // the process is killed before this store, the next opening finds the frame by searching the ring
  // (`MappedRing.find`), if the frame is complete.
  ambient_counts_store(&lines->ring->committed, &lines->ring->committed_again, end + size);
  return (ptrdiff_t)(waiting + size);
}

OWN struct ambient_gathered ambient_lines_gather(
    const struct ambient_mapping *lines, uint64_t from, uint64_t until, void *to, size_t capacity) {
  struct ambient_gathered all = {0, 0, from};
  while (all.next < until) {
    const char *place = ambient_ring_memory(lines, all.next);
    struct ambient_frame frame;
    if (!ambient_frame_read(place, all.next, until - all.next, &frame)) break;
    size_t length = ambient_frame_length(&frame);
    if (length > capacity - all.count) break;
    uint32_t checksum = 0;
    if (frame.length & ambient_void) length = 0;
    else checksum = ambient_copy_checksum((char *)to + all.count, place + sizeof(frame), length);
    if (ambient_frame_checksum(&frame, checksum) != frame.checksum) break;
    all.count += length;
    all.lines += length != 0;
    all.next += ambient_frame_size(ambient_frame_length(&frame));
  }
  return all;
}

OWN void ambient_ring_place(struct ambient_mapping *lines, uint64_t start, uint64_t end) {
  ambient_ring_drained(lines, start, 0);
  __atomic_store_n(&lines->end, end, __ATOMIC_RELEASE);
  ambient_counts_store(&lines->ring->committed, &lines->ring->committed_again, end);
}

OWN void ambient_ring_drained(struct ambient_mapping *lines, uint64_t start, size_t count) {
  lines->drained_lines += count;
  // `drained` in the file's header is stored before `start`, because appends overwrite the drained
  // frames once `start` has freed their room.
  ambient_counts_store(&lines->ring->drained, &lines->ring->drained_again, start);
  __atomic_store_n(&lines->start, start, __ATOMIC_RELEASE);
  ambient_stay_in_order();
}

OWN void ambient_lines_intend(
    struct ambient_mapping *lines, uint64_t device, uint64_t file, uint64_t size, uint64_t from,
    uint64_t until) {
  struct ambient_intent next = {device, file, size, from, until, 0};
  next.check = ambient_intent_check(&next);
  struct ambient_intent *places[] = {&lines->ring->intent, &lines->intent};
  for (int i = 0; i < 2; i++) {
    // While the fields change, a `check` of zero marks the intent as invalid.
    __atomic_store_n(&places[i]->check, 0, __ATOMIC_RELEASE);
    ambient_stay_in_order();
    places[i]->device = device;
    places[i]->file = file;
    places[i]->size = size;
    places[i]->from = from;
    places[i]->until = until;
    __atomic_store_n(&places[i]->check, next.check, __ATOMIC_RELEASE);
  }
}
