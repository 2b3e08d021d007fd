// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CRingFrames.h"

#include "CRing.h"
#include "Visibility.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <nmmintrin.h>
#define HAS_INSTRUCTIONS
#define WITH_INSTRUCTIONS __attribute__((target("sse4.2")))
#define STEP_8(check, value) ((uint32_t)_mm_crc32_u64(check, value))
#define STEP_4(check, value) _mm_crc32_u32(check, value)
#define STEP_1(check, value) _mm_crc32_u8(check, value)
#elif defined(__aarch64__)
#define HAS_INSTRUCTIONS
#define WITH_INSTRUCTIONS __attribute__((target("crc")))
#define STEP_8(check, value) __builtin_arm_crc32cd(check, value)
#define STEP_4(check, value) __builtin_arm_crc32cw(check, value)
#define STEP_1(check, value) __builtin_arm_crc32cb(check, value)
#ifdef __linux__
#include <sys/auxv.h>
#else
#include <sys/sysctl.h>
#endif
#endif

// A table with one entry for each value of half a byte. A table for whole bytes would be faster,
// but also larger, and few processors lack the CRC instructions.
static const uint32_t table[16] = {
    0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3, 0x61C69362, 0x7198540D,
    0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9, 0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75};

static uint32_t by_table(uint32_t check, const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    check ^= bytes[i];
    check = check >> 4 ^ table[check & 15];
    check = check >> 4 ^ table[check & 15];
  }
  return check;
}

#ifdef HAS_INSTRUCTIONS
static _Bool find_instructions(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
#elif defined(__linux__)
  return getauxval(AT_HWCAP) >> 7 & 1;
#else
  // The system is asked, because not every Apple processor has CRC instructions: the A8, in the
  // first Apple TV HD, has none.
  int has = 0;
  size_t size = sizeof(has);
  return sysctlbyname("hw.optional.armv8_crc32", &has, &size, NULL, 0) == 0 && has;
#endif
}

// Asks the processor only once, since a virtual machine answers slowly. `known` is 0 before the
// answer, 1 if the processor lacks the instructions, and 2 if it has them. Racing threads store the
// same value.
static _Bool has_instructions(void) {
  static uint8_t known;
  uint8_t found = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (found == 0) {
    found = find_instructions() ? 2 : 1;
    __atomic_store_n(&known, found, __ATOMIC_RELAXED);
  }
  return found == 2;
}

// Adds the bytes to the checksum. If `copies` is true, copies the bytes to `to` in the same pass.
// The copy costs little, because the bytes of a line are in the cache, and because the latency of
// the CRC instructions hides the copy.
//
// Callers pass a constant for `copies`. A test of `to` would remain in the loop, because the
// compiler does not know that an advanced pointer is not null.
WITH_INSTRUCTIONS
static inline __attribute__((always_inline)) uint32_t by_instructions(
    uint32_t check, _Bool copies, unsigned char *to, const unsigned char *from, size_t count) {
  for (; count >= 8; from += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, from, 8);
    if (copies) memcpy(to, &word, 8), to += 8;
    check = STEP_8(check, word);
  }
  if (count & 4) {
    uint32_t word;
    memcpy(&word, from, 4);
    if (copies) memcpy(to, &word, 4), to += 4;
    check = STEP_4(check, word);
    from += 4;
  }
  for (count &= 3; count; from++, count--) {
    // Reads the byte only once, so that the checksum is that of the copied byte, even if another
    // process writes to the memory meanwhile.
    const unsigned char byte = *from;
    if (copies) *to++ = byte;
    check = STEP_1(check, byte);
  }
  return check;
}

WITH_INSTRUCTIONS
static uint32_t sum_by_instructions(
    uint32_t check, unsigned char *to, const unsigned char *from, size_t count) {
  return to ? by_instructions(check, 1, to, from, count)
            : by_instructions(check, 0, NULL, from, count);
}

// Writes a whole frame with the CRC instructions. This is the fast path for writing a line.
//
// Stores each member of the head directly into the frame. If a local struct were filled and then
// copied, the copy would load several members at once. A processor cannot forward narrow stores to
// a wider load: the load would wait until those stores, and the earlier stores of the record, have
// reached the cache.
WITH_INSTRUCTIONS
static void write_by_instructions(
    unsigned char *place, uint64_t position, int64_t time, const unsigned char *record,
    uint32_t count) {
  struct ambient_frame *frame = (struct ambient_frame *)place;
  const uint32_t of_record = ~by_instructions(~0u, 1, place + sizeof(*frame), record, count);
  const uint32_t check = STEP_8(STEP_8(~of_record, position), (uint64_t)time);
  frame->position = position;
  frame->length = count;
  frame->checksum = ~STEP_4(check, count);
  frame->time = time;
}
#endif

// Adds the bytes to the checksum, and copies them to `to` unless it is null.
static uint32_t sum(uint32_t check, void *to, const void *bytes, size_t count) {
#ifdef HAS_INSTRUCTIONS
  if (has_instructions()) return sum_by_instructions(check, to, bytes, count);
#endif
  // Computes the checksum of the copy, because another process may write to the original meanwhile.
  if (to) bytes = memcpy(to, bytes, count);
  return by_table(check, bytes, count);
}

OWN uint32_t ambient_checksum(const void *bytes, size_t count) {
  return ~sum(~0u, NULL, bytes, count);
}

OWN uint32_t ambient_checksum_by_table(const void *bytes, size_t count) {
  return ~by_table(~0u, bytes, count);
}

OWN uint32_t ambient_copy_checksum(void *to, const void *from, size_t count) {
  return ~sum(~0u, to, from, count);
}

OWN void ambient_frame_write(
    void *place, uint64_t position, int64_t time, const void *record, size_t count) {
  memset((char *)place + ambient_frame_size(count) - 8, 0, 8);
#ifdef HAS_INSTRUCTIONS
  if (has_instructions()) {
    write_by_instructions(place, position, time, record, (uint32_t)count);
    return;
  }
#endif
  struct ambient_frame head = {position, (uint32_t)count, 0, time};
  head.checksum = ambient_frame_checksum(
      &head, ambient_copy_checksum((char *)place + sizeof(head), record, count));
  memcpy(place, &head, sizeof(head));
}

OWN uint32_t ambient_frame_checksum(const struct ambient_frame *frame, uint32_t of_record) {
  uint64_t head[3] = {frame->position, (uint64_t)frame->time, 0};
  memcpy(&head[2], &frame->length, sizeof(frame->length));
  return ~sum(~of_record, NULL, head, 20);
}

OWN uint64_t ambient_frame_search(
    const void *ring, uint64_t from, uint64_t limit, uint64_t mask) {
  for (; from < limit; from += 8) {
    uint64_t word;
    memcpy(&word, (const char *)ring + (from & mask), sizeof(word));
    if (((word ^ from) & mask) == 0) return from;
  }
  return limit;
}

OWN void ambient_frame_empty(struct ambient_frame *frame) {
  struct ambient_frame next = *frame;
  next.length |= ambient_void;
  next.checksum = ambient_frame_checksum(&next, 0);
  // Valid: length and checksum share one aligned word, so that a killed process has written both or
  // neither.
  typedef uint64_t __attribute__((may_alias)) both;
  both word;
  memcpy(&word, &next.length, sizeof(word));
  __atomic_store_n((both *)&frame->length, word, __ATOMIC_RELEASE);
  ambient_stay_in_order();
}
