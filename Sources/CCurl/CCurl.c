// SPDX-License-Identifier: Apache-2.0

#include "CCurl.h"

#ifdef __linux__

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static void *(*own_multi_init)(void);

// libcurl opens descriptors of its own here, whose numbers cannot be changed later. The numbers 0, 1
// and 2 are a program's standard streams, even while they are closed, so they are taken meanwhile.
static void *multi_init(void) {
  int held[3], count = 0, number = 0;
  while (count < 3 && number <= 2 && (number = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0)
    held[count++] = number;
  void *multi = __atomic_load_n(&own_multi_init, __ATOMIC_RELAXED)();
  while (count) close(held[--count]);
  return multi;
}

bool ambient_curl_load(const char *name, struct ambient_curl *curl) {
  // The library is never closed, because its threads and handlers may outlive any client.
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
  const struct {
    const char *name;
    void *place;
  } symbols[] = {
      {"curl_global_init", &curl->global_init},
      {"curl_version_info", &curl->version_info},
      {"curl_easy_strerror", &curl->strerror},
      {"curl_multi_init", &curl->multi_init},
      {"curl_multi_cleanup", &curl->multi_cleanup},
      {"curl_multi_add_handle", &curl->multi_add},
      {"curl_multi_remove_handle", &curl->multi_remove},
      {"curl_multi_perform", &curl->multi_perform},
      {"curl_multi_wait", &curl->multi_wait},
      {"curl_multi_info_read", &curl->multi_info},
      {"curl_easy_init", &curl->easy_init},
      {"curl_easy_cleanup", &curl->easy_cleanup},
      {"curl_slist_append", &curl->list_append},
      {"curl_slist_free_all", &curl->list_free},
      {"curl_easy_setopt", &curl->easy_setopt},
      {"curl_easy_getinfo", &curl->easy_getinfo},
  };
  for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
    // POSIX requires that a function pointer fits into an object pointer (see dlsym(3)).
    void *symbol = dlsym(library, symbols[i].name);
    if (!symbol) return false;
    *(void **)symbols[i].place = symbol;
  }
  __atomic_store_n(&own_multi_init, curl->multi_init, __ATOMIC_RELAXED);
  curl->multi_init = multi_init;
  // OpenSSL's exit handler frees state that threads in a handshake still use. Such a thread then
  // ends the program by SIGSEGV: https://github.com/openssl/openssl/issues/6214.
  // OPENSSL_INIT_NO_ATEXIT initializes OpenSSL without the exit handler, which is not needed: the
  // system frees the memory of a process that ends.
  int (*init_crypto)(uint64_t, const void *) = dlsym(library, "OPENSSL_init_crypto");
  if (init_crypto) (void)init_crypto(0x00080000, NULL);
  return true;
}

int ambient_event_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

bool ambient_event_ring(int event) {
  // EAGAIN means that the counter is at its limit, so the event is signalled already.
  return eventfd_write(event, 1) == 0 || errno == EAGAIN;
}

bool ambient_event_silence(int event) {
  eventfd_t count;
  return eventfd_read(event, &count) == 0 || errno == EAGAIN;
}

int ambient_curl_set_number(
    const struct ambient_curl *curl, void *handle, int option, long value) {
  return curl->easy_setopt(handle, option, value);
}

int ambient_curl_set_size(
    const struct ambient_curl *curl, void *handle, int option, int64_t value) {
  // libcurl reads the value as a curl_off_t. That type has 64 bits on every system, so an int64_t
  // can be passed in its place.
  return curl->easy_setopt(handle, option, value);
}

int ambient_curl_set_pointer(
    const struct ambient_curl *curl, void *handle, int option, const void *value) {
  return curl->easy_setopt(handle, option, value);
}

int ambient_curl_set_receiver(
    const struct ambient_curl *curl, void *handle, int option,
    size_t (*receiver)(char *bytes, size_t size, size_t count, void *context)) {
  return curl->easy_setopt(handle, option, receiver);
}

int ambient_curl_set_observer(
    const struct ambient_curl *curl, void *handle, int option,
    int (*observer)(void *context, char *remote, char *local, int remote_port, int local_port)) {
  return curl->easy_setopt(handle, option, observer);
}

int ambient_curl_set_progress(
    const struct ambient_curl *curl, void *handle, int option,
    int (*progress)(void *context, int64_t to_come, int64_t come, int64_t to_go, int64_t gone)) {
  return curl->easy_setopt(handle, option, progress);
}

// The first members of libcurl's struct curl_sockaddr, which are the arguments of socket(2). Only
// these members are declared here, because open_socket reads no other member.
struct ambient_curl_socket {
  int family;
  int type;
  int protocol;
};

// The function for CURLOPT_OPENSOCKETFUNCTION. Opens sockets with close-on-exec, since child
// processes must not inherit connections. A socket takes no more than 16 KiB ahead of what the
// network takes, so that libcurl knows nearly how much of a body was sent when the network is slow.
// The context is an int, which gets the error if no socket can be opened, since libcurl does not
// tell it; otherwise 0.
static int open_socket(void *context, int purpose, struct ambient_curl_socket *kind) {
  (void)purpose;
  int *const failure = context;
  const int opened = socket(kind->family, kind->type | SOCK_CLOEXEC, kind->protocol);
  *failure = opened < 0 ? errno : 0;
  if (opened < 0) return opened;
  const int ahead = 16384;
  (void)setsockopt(opened, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &ahead, sizeof(ahead));
  if (opened > 2) return opened;
  // The numbers 0, 1 and 2 are a program's standard streams, even while they are closed.
  const int moved = fcntl(opened, F_DUPFD_CLOEXEC, 3);
  *failure = moved < 0 ? errno : 0;
  close(opened);
  return moved;
}

int ambient_curl_set_closing_sockets(
    const struct ambient_curl *curl, void *handle, int option) {
  return curl->easy_setopt(handle, option, open_socket);
}

long ambient_curl_number(const struct ambient_curl *curl, void *handle, int info) {
  long value = 0;
  return curl->easy_getinfo(handle, info, &value) == 0 ? value : 0;
}

int64_t ambient_curl_size(const struct ambient_curl *curl, void *handle, int info) {
  int64_t value = 0;
  return curl->easy_getinfo(handle, info, &value) == 0 ? value : -1;
}

#endif
