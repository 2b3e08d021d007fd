// SPDX-License-Identifier: Apache-2.0

#ifndef C_RING_FRAMES_H
#define C_RING_FRAMES_H

#include "CPlatform.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The head of a frame, followed by a record of a queue or by a line of a log. Frames begin at
// multiples of 8 bytes.
struct ambient_frame {
  // The number of bytes ever appended before this frame.
  uint64_t position;
  // The record's size in bytes. If the bit `ambient_void` is set, there is no record, and the other
  // bits are the size of unused space.
  uint32_t length;
  // CRC-32C of the record (left out if the frame is void), the position, the time and the length.
  uint32_t checksum;
  // Microseconds since 1970; zero for a line.
  int64_t time;
};

#define ambient_void 0x80000000u

// CRC-32C of the bytes, by the processor's instructions if it has them.
uint32_t ambient_checksum(const void *bytes, size_t count);

// CRC-32C by table, as ambient_checksum computes it on processors without such instructions.
uint32_t ambient_checksum_by_table(const void *bytes, size_t count);

// Copies the bytes, and returns their CRC-32C.
uint32_t ambient_copy_checksum(void *to, const void *from, size_t count);

// The size of a frame whose record has `length` bytes.
static inline size_t ambient_frame_size(size_t length) {
  return (sizeof(struct ambient_frame) + length + 7) & ~(size_t)7;
}

static inline size_t ambient_frame_length(const struct ambient_frame *frame) {
  return frame->length & ~ambient_void;
}

// Copies the head of the frame at `place`. Returns false if the head does not contain `position`,
// or if the frame is longer than `room` bytes. Does not read the record; ambient_frame_is_intact
// reads it.
static inline _Bool ambient_frame_read(
    const void *place, uint64_t position, uint64_t room, struct ambient_frame *frame) {
  if (room < sizeof(*frame)) return 0;
  memcpy(frame, place, sizeof(*frame));
  return frame->position == position && ambient_frame_size(ambient_frame_length(frame)) <= room;
}

// Returns the checksum of a frame, computed from the frame's head and from `of_record`, which is
// the checksum of the frame's record.
uint32_t ambient_frame_checksum(const struct ambient_frame *frame, uint32_t of_record);

// True if the frame's checksum matches its head and its record.
static inline _Bool ambient_frame_is_intact(const struct ambient_frame *frame, const void *record) {
  const uint32_t of_record =
      frame->length & ambient_void ? 0 : ambient_checksum(record, ambient_frame_length(frame));
  return ambient_frame_checksum(frame, of_record) == frame->checksum;
}

// Returns the first position, from `from` and before `limit`, at which a frame may begin; `limit` if
// there is none. A frame begins with its own position, whose low bits, below the ring's size, are
// compared. Positions are multiples of 8; `mask` is the ring's size less one.
uint64_t ambient_frame_search(const void *ring, uint64_t from, uint64_t limit, uint64_t mask);

// Writes a frame: head, record, and zeros up to the next multiple of 8 bytes.
void ambient_frame_write(
    void *place, uint64_t position, int64_t time, const void *record, size_t count);

// Marks the frame as void, in one atomic store; `frame` is aligned to 8 bytes.
void ambient_frame_empty(struct ambient_frame *frame);

#endif
