#ifndef C_JOURNAL_H
#define C_JOURNAL_H

#include "CRing.h"

// The start of a queue's file: the format of docs/journal.md. Its counts are of words of 8 bytes.
struct ambient_queue {
  struct ambient_ring ring;
  uint64_t drained_again;
};

// Where a copy of the header's first 32 bytes stands.
enum { ambient_queue_copy = 4096 };

// What stands before each record of a queue.
struct ambient_frame {
  // How many bytes were appended before it.
  uint64_t position;
  // Of the record; with `ambient_void`, of zeros that stand in its place.
  uint32_t length;
  // CRC-32C of the record (of nothing if there is none any more), the position, the time and the
  // length.
  uint32_t checksum;
  // In microseconds since 1970.
  int64_t time;
};

#define ambient_void 0x80000000u

// CRC-32C of the bytes, by the processor's own instructions where it has them.
uint32_t ambient_checksum(const void *bytes, size_t count);

// The same, by a table.
uint32_t ambient_checksum_by_table(const void *bytes, size_t count);

// What a frame's checksum must be, whose record has that checksum.
uint32_t ambient_frame_checksum(const struct ambient_frame *frame, uint32_t of_record);

// Marks in one store that there is no record any more in the frame, which is aligned.
void ambient_frame_empty(struct ambient_frame *frame);

#endif
