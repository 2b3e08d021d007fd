#include "CCurl.h"

#ifdef __linux__

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>

bool ambient_curl_load(const char *name, struct ambient_curl *curl) {
  // Never closed: its threads and handlers may outlive any client.
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
    // POSIX has a pointer to a function fit into one to an object: dlsym(3).
    void *symbol = dlsym(library, symbols[i].name);
    if (!symbol) return false;
    *(void **)symbols[i].place = symbol;
  }
  return true;
}

bool ambient_curl_is_privileged(void) { return getauxval(AT_SECURE) != 0; }

int ambient_event_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void ambient_event_ring(int event) {
  // Fails only where it rings already.
  (void)eventfd_write(event, 1);
}

void ambient_event_silence(int event) {
  eventfd_t count;
  (void)eventfd_read(event, &count);
}

int ambient_curl_set_number(
    const struct ambient_curl *curl, void *handle, int option, long value) {
  return curl->easy_setopt(handle, option, value);
}

int ambient_curl_set_size(
    const struct ambient_curl *curl, void *handle, int option, int64_t value) {
  // curl_off_t has 64 bits on every system.
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

long ambient_curl_number(const struct ambient_curl *curl, void *handle, int info) {
  long value = 0;
  return curl->easy_getinfo(handle, info, &value) == 0 ? value : 0;
}

#endif
