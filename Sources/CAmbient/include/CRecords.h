#ifndef C_RECORDS_H
#define C_RECORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// What stands before each record of a queue, and each line of a log. Frames begin at multiples of 8
// bytes.
struct ambient_frame {
  // How many bytes were appended before it.
  uint64_t position;
  // Of the record; with `ambient_void`, of zeros that stand in its place.
  uint32_t length;
  // CRC-32C of the record (of nothing if there is none any more), the position, the time and the
  // length.
  uint32_t checksum;
  // In microseconds since 1970; zero for a line.
  int64_t time;
};

#define ambient_void 0x80000000u

// CRC-32C of the bytes, by the processor's own instructions where it has them.
uint32_t ambient_checksum(const void *bytes, size_t count);

// The same, by a table.
uint32_t ambient_checksum_by_table(const void *bytes, size_t count);

// Copies the bytes, and returns their CRC-32C.
uint32_t ambient_copy_checksum(void *to, const void *from, size_t count);

// How many bytes a record of that length takes with its frame.
static inline size_t ambient_frame_size(size_t length) {
  return (sizeof(struct ambient_frame) + length + 7) & ~(size_t)7;
}

static inline size_t ambient_frame_length(const struct ambient_frame *frame) {
  return frame->length & ~ambient_void;
}

// Reads the frame that stands there; false if none can, be its record intact or not. There are `room`
// bytes for it.
static inline _Bool ambient_frame_read(
    const void *place, uint64_t position, uint64_t room, struct ambient_frame *frame) {
  if (room < sizeof(*frame)) return 0;
  memcpy(frame, place, sizeof(*frame));
  return frame->position == position && ambient_frame_size(ambient_frame_length(frame)) <= room;
}

// What a frame's checksum must be, whose record has that checksum.
uint32_t ambient_frame_checksum(const struct ambient_frame *frame, uint32_t of_record);

// Whether the checksum is that of the frame and of the record behind it.
static inline _Bool ambient_frame_is_intact(const struct ambient_frame *frame, const void *record) {
  const uint32_t of_record =
      frame->length & ambient_void ? 0 : ambient_checksum(record, ambient_frame_length(frame));
  return ambient_frame_checksum(frame, of_record) == frame->checksum;
}

// Writes a frame and its record, and zeros up to the next multiple of 8 bytes.
void ambient_frame_write(
    void *place, uint64_t position, int64_t time, const void *record, size_t count);

// Marks in one store that there is no record any more in the frame, which is aligned.
void ambient_frame_empty(struct ambient_frame *frame);

#endif
