#ifdef __linux__
#define _GNU_SOURCE
#include "CHostile.h"

#include <dlfcn.h>
#include <netdb.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

static struct ambient_curl whole;
static int newest_option;

static int old_setopt(void *handle, int option, ...) {
  // CURLE_UNKNOWN_OPTION
  if (option % 10000 > newest_option) return 48;
  va_list values;
  va_start(values, option);
  int result;
  if (option < 10000) {
    result = whole.easy_setopt(handle, option, va_arg(values, long));
  } else if (option < 30000) {
    result = whole.easy_setopt(handle, option, va_arg(values, void *));
  } else {
    result = whole.easy_setopt(handle, option, va_arg(values, int64_t));
  }
  va_end(values);
  return result;
}

struct ambient_curl hostile_old_curl(struct ambient_curl curl, int newest) {
  whole = curl;
  newest_option = newest;
  curl.easy_setopt = old_setopt;
  return curl;
}

int getaddrinfo(
    const char *name, const char *service, const struct addrinfo *hints,
    struct addrinfo **result) {
  static const char ending[] = ".hangs.test";
  const size_t length = name ? strlen(name) : 0, end = sizeof(ending) - 1;
  if (length > end && strcmp(name + length - end, ending) == 0) {
    for (;;) pause();
  }
  int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
      dlsym(RTLD_NEXT, "getaddrinfo");
  return real ? real(name, service, hints, result) : EAI_SYSTEM;
}
#else
// A translation unit is never empty.
typedef int hostile_nothing;
#endif
