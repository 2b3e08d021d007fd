// SPDX-License-Identifier: Apache-2.0

#ifndef C_CURL_H
#define C_CURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __linux__

// The part of libcurl's interface that Ambient uses. Its symbols, structures and numbers have not
// changed since version 7.16: https://curl.se/libcurl/abi.html

// The layout of libcurl's curl_waitfd, which curl_multi_wait takes.
struct ambient_curl_wait {
  int descriptor;
  short events;
  short happened;
};

// The layout of libcurl's CURLMsg, which curl_multi_info_read returns.
struct ambient_curl_message {
  int kind;
  void *_Nullable handle;
  union {
    void *_Nullable unused;
    int result;
  } data;
};

// The first members of curl_version_info_data, which every version of the structure has.
struct ambient_curl_version {
  int age;
  const char *_Nullable name;
  unsigned number;
};

// The functions of one loaded libcurl.
struct __attribute__((swift_attr("@Sendable"))) ambient_curl {
  int (*_Nonnull global_init)(long flags);
  struct ambient_curl_version *_Nullable (*_Nonnull version_info)(int age);
  const char *_Nullable (*_Nonnull strerror)(int code);
  void *_Nullable (*_Nonnull multi_init)(void);
  int (*_Nonnull multi_cleanup)(void *_Nonnull multi);
  int (*_Nonnull multi_add)(void *_Nonnull multi, void *_Nonnull handle);
  int (*_Nonnull multi_remove)(void *_Nonnull multi, void *_Nonnull handle);
  int (*_Nonnull multi_perform)(void *_Nonnull multi, int *_Nonnull running);
  int (*_Nonnull multi_wait)(
      void *_Nonnull multi, struct ambient_curl_wait *_Nullable extra, unsigned extra_count,
      int milliseconds, int *_Nullable count);
  struct ambient_curl_message *_Nullable (*_Nonnull multi_info)(
      void *_Nonnull multi, int *_Nonnull left);
  void *_Nullable (*_Nonnull easy_init)(void);
  void (*_Nonnull easy_cleanup)(void *_Nonnull handle);
  void *_Nullable (*_Nonnull list_append)(void *_Nullable list, const char *_Nonnull text);
  void (*_Nonnull list_free)(void *_Nullable list);
  // These two functions are variadic, so Swift cannot call them. Swift calls the functions
  // ambient_curl_set_… and ambient_curl_number instead.
  int (*_Nonnull easy_setopt)(void *_Nonnull handle, int option, ...);
  int (*_Nonnull easy_getinfo)(void *_Nonnull handle, int info, ...);
};

// Fills the table from the library that dlopen(3) finds by `name`. Returns false if there is no
// such library, or if it lacks a function. The library is never closed.
bool ambient_curl_load(const char *_Nonnull name, struct ambient_curl *_Nonnull curl);

// Opens an eventfd(2), a counter that a thread can wait for together with sockets. Swift's module
// of the C library does not export this function. On failure, returns a negative number and sets
// errno.
int ambient_event_open(void);
// The first function signals the event, and the second clears it. Each returns false if `event` is
// no longer an eventfd.
bool ambient_event_ring(int event);
bool ambient_event_silence(int event);

// Functions that call curl_easy_setopt, one for each type of value.
int ambient_curl_set_number(
    const struct ambient_curl *_Nonnull curl, void *_Nonnull handle, int option, long value);
int ambient_curl_set_size(
    const struct ambient_curl *_Nonnull curl, void *_Nonnull handle, int option, int64_t value);
int ambient_curl_set_pointer(
    const struct ambient_curl *_Nonnull curl, void *_Nonnull handle, int option,
    const void *_Nullable value);
int ambient_curl_set_receiver(
    const struct ambient_curl *_Nonnull curl, void *_Nonnull handle, int option,
    size_t (*_Nonnull receiver)(
        char *_Nullable bytes, size_t size, size_t count, void *_Nullable context));
int ambient_curl_set_observer(
    const struct ambient_curl *_Nonnull curl, void *_Nonnull handle, int option,
    int (*_Nonnull observer)(
        void *_Nullable context, char *_Nullable remote, char *_Nullable local, int remote_port,
        int local_port));
int ambient_curl_set_progress(
    const struct ambient_curl *_Nonnull curl, void *_Nonnull handle, int option,
    int (*_Nonnull progress)(
        void *_Nullable context, int64_t to_come, int64_t come, int64_t to_go, int64_t gone));
// Makes the handle open its sockets with close-on-exec. CURLOPT_OPENSOCKETDATA must be the address
// of an int, which gets the error of socket(2).
int ambient_curl_set_closing_sockets(
    const struct ambient_curl *_Nonnull curl, void *_Nonnull handle, int option);

// Calls curl_easy_getinfo for an `info` of the type long. Returns 0 if the library does not know
// `info`.
long ambient_curl_number(const struct ambient_curl *_Nonnull curl, void *_Nonnull handle, int info);
// The same for an `info` of the type curl_off_t. Returns -1 if the library does not know `info`.
int64_t ambient_curl_size(
    const struct ambient_curl *_Nonnull curl, void *_Nonnull handle, int info);

#endif

// The part of zlib's interface that Ambient uses, unchanged since version 1.2.

// The functions of one loaded zlib.
struct __attribute__((swift_attr("@Sendable"))) ambient_zlib {
  int (*_Nonnull init)(
      void *_Nonnull stream, int level, int method, int window, int memory, int strategy,
      const char *_Nonnull version, int size);
  int (*_Nonnull deflate)(void *_Nonnull stream, int flush);
  int (*_Nonnull end)(void *_Nonnull stream);
};

// Fills the table from the library that dlopen(3) finds by `name`. Returns false if there is no
// such library, or if it lacks a function. The library is never closed.
bool ambient_zlib_load(const char *_Nonnull name, struct ambient_zlib *_Nonnull zlib);

// Compresses the bytes to the gzip format (RFC 1952). Returns the number of bytes written to
// `room`, or 0 if the bytes do not fit or zlib fails.
size_t ambient_zlib_gzip(
    const struct ambient_zlib *_Nonnull zlib, const uint8_t *_Nonnull bytes, size_t count,
    uint8_t *_Nonnull room, size_t size);

#endif
