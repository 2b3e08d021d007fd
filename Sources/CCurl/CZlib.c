// SPDX-License-Identifier: Apache-2.0

#include "CCurl.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>

// This struct has the memory layout of zlib's z_stream. It is declared here, because this module
// loads zlib at run time and does not include zlib's header.
struct ambient_zlib_stream {
  const uint8_t *next_in;
  unsigned avail_in;
  unsigned long total_in;
  uint8_t *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *message;
  void *state;
  void *allocate;
  void *release;
  void *opaque;
  int data_type;
  unsigned long check;
  unsigned long reserved;
};

bool ambient_zlib_load(const char *name, struct ambient_zlib *zlib) {
  // The library is never closed, because `zlib` points to its functions.
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
  // dlsym(3) returns an object pointer, which POSIX allows to be converted to a function pointer.
  *(void **)&zlib->init = dlsym(library, "deflateInit2_");
  *(void **)&zlib->deflate = dlsym(library, "deflate");
  *(void **)&zlib->end = dlsym(library, "deflateEnd");
  return zlib->init && zlib->deflate && zlib->end;
}

size_t ambient_zlib_gzip(
    const struct ambient_zlib *zlib, const uint8_t *bytes, size_t count, uint8_t *room,
    size_t size) {
  if (count > UINT_MAX || size > UINT_MAX) return 0;
  struct ambient_zlib_stream stream;
  memset(&stream, 0, sizeof(stream));
  // The arguments in order: level 1, since higher levels take several times as long and hardly
  // shrink events; Z_DEFLATED = 8; 15 for a window of 2^15 bytes, plus 16 for the gzip format; the
  // default memory level 8; Z_DEFAULT_STRATEGY = 0; a version, of which zlib compares only the
  // first digit.
  if (zlib->init(&stream, 1, 8, 15 + 16, 8, 0, "1.2.0", (int)sizeof(stream)) != 0) return 0;
  stream.next_in = bytes;
  stream.avail_in = (unsigned)count;
  stream.next_out = room;
  stream.avail_out = (unsigned)size;
  // Z_FINISH = 4, Z_STREAM_END = 1.
  bool is_whole = zlib->deflate(&stream, 4) == 1;
  size_t length = size - stream.avail_out;
  zlib->end(&stream);
  return is_whole ? length : 0;
}
