// SPDX-License-Identifier: Apache-2.0

#ifdef __linux__
#define _GNU_SOURCE
#include "CHostile.h"

#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netdb.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct ambient_curl whole;
static int newest_option;

static int refused_option;

typedef int (*setter)(void *handle, int option, ...);

static int pass_option(setter set, void *handle, int option, va_list values) {
  if (option < 10000) return set(handle, option, va_arg(values, long));
  if (option < 30000) return set(handle, option, va_arg(values, void *));
  return set(handle, option, va_arg(values, int64_t));
}

static int set_option(void *handle, int option, va_list values) {
  return pass_option(whole.easy_setopt, handle, option, values);
}

static int old_setopt(void *handle, int option, ...) {
  // CURLE_UNKNOWN_OPTION
  if (option % 10000 > newest_option) return 48;
  va_list values;
  va_start(values, option);
  int result = set_option(handle, option, values);
  va_end(values);
  return result;
}

static int refusing_setopt(void *handle, int option, ...) {
  if (option == refused_option) return 48;
  va_list values;
  va_start(values, option);
  int result = set_option(handle, option, values);
  va_end(values);
  return result;
}

struct ambient_curl hostile_old_curl(struct ambient_curl curl, int newest) {
  whole = curl;
  newest_option = newest;
  curl.easy_setopt = old_setopt;
  return curl;
}

struct ambient_curl hostile_refusing_curl(struct ambient_curl curl, int option) {
  whole = curl;
  refused_option = option;
  curl.easy_setopt = refusing_setopt;
  return curl;
}

// Sets the proxy that the URL names. The numbers are those of URL, PROXY and NOPROXY.
static int set_proxied(setter set, void *handle, int option, va_list values) {
  if (option != 10002) return pass_option(set, handle, option, values);
  const char *url = va_arg(values, const char *);
  const char *proxy = strstr(url, "?proxy=");
  if (proxy && (set(handle, 10004, proxy + strlen("?proxy=")) != 0 || set(handle, 10177, "") != 0))
    return 48;
  return set(handle, option, url);
}

static setter proxied[3];

#define PROXIED(number)                                            \
  static int proxied_##number(void *handle, int option, ...) {     \
    va_list values;                                                \
    va_start(values, option);                                      \
    int result = set_proxied(proxied[number], handle, option, values); \
    va_end(values);                                                \
    return result;                                                 \
  }

PROXIED(0)
PROXIED(1)
PROXIED(2)

struct ambient_curl hostile_proxied_curl(struct ambient_curl curl, int place) {
  static const setter setters[] = {proxied_0, proxied_1, proxied_2};
  proxied[place] = curl.easy_setopt;
  curl.easy_setopt = setters[place];
  return curl;
}

static int result_of_all;

static struct ambient_curl_message *changed_message(void *multi, int *left) {
  struct ambient_curl_message *message = whole.multi_info(multi, left);
  if (message) message->data.result = result_of_all;
  return message;
}

struct ambient_curl hostile_curl_with_result(struct ambient_curl curl, int result) {
  whole = curl;
  result_of_all = result;
  curl.multi_info = changed_message;
  return curl;
}

// Fails to start what CURL_GLOBAL_DEFAULT stands for.
static int fail_to_start(long flags) { return flags == 3 ? 2 : 0; }

struct ambient_curl hostile_unstarted_curl(struct ambient_curl curl) {
  curl.global_init = fail_to_start;
  return curl;
}

static struct ambient_curl_version chosen;

static struct ambient_curl_version *chosen_version(int age) {
  (void)age;
  return &chosen;
}

struct ambient_curl hostile_curl_of_version(struct ambient_curl curl, unsigned version) {
  static char text[12];
  snprintf(text, sizeof(text), "%u.%u.%u", version >> 16 & 255, version >> 8 & 255, version & 255);
  chosen = (struct ambient_curl_version){0, text, version};
  curl.version_info = chosen_version;
  return curl;
}

int hostile_fail_calls(int number, int error) {
  // The filter does not check the architecture, because this program makes calls of its own alone.
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return (int)syscall(
      SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

__attribute__((constructor)) static void forget_proxies(void) {
  static const char *const names[] = {"http_proxy",  "https_proxy", "HTTPS_PROXY",
                                      "all_proxy", "ALL_PROXY"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) unsetenv(names[i]);
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
