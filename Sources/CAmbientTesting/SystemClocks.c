// SPDX-License-Identifier: Apache-2.0

// Reads of the system's clocks by Swift's runtime and by Foundation, which show the time of a scope
// that asks for it.
#ifdef __linux__
#define _GNU_SOURCE
#include <features.h>
#endif
#ifdef __GLIBC__
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "CVirtualTime.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

// A sanitizer calls this function before it has set up its memory.
#define UNSANITIZED __attribute__((no_sanitize("thread", "address")))
#ifdef IS_SANITIZED
// Not weak: a sanitizer has a weak definition of its own.
#define REPLACING UNSANITIZED
#else
// Weak, so that a program with a definition of its own is linked; then no scope shows its time.
#define REPLACING UNSANITIZED __attribute__((weak))
#endif

typedef int (*clock_reader)(clockid_t, struct timespec *);

struct range {
  uintptr_t start;
  uintptr_t end;
};

static clock_reader system_reader = NULL;
// The code of the runtime's function that reads a clock, and the code of libraries. Written once,
// when the program is loaded; empty if unknown.
static struct range runtime_reader, essentials, foundation, networking, xctest;

UNSANITIZED static bool holds(const struct range *range, uintptr_t address) {
  return address - range->start < range->end - range->start;
}

// Sets the range of a library's code, if `info` is that library.
static void find(struct range *range, const struct dl_phdr_info *info, const char *name) {
  const char *file = strrchr(info->dlpi_name, '/');
  if (strcmp(file ? file + 1 : info->dlpi_name, name)) return;
  for (int index = 0; index < info->dlpi_phnum; index += 1) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[index];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    range->start = info->dlpi_addr + part->p_vaddr;
    range->end = range->start + part->p_memsz;
  }
}

static int look(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  (void)context;
  find(&essentials, info, "libFoundationEssentials.so");
  find(&foundation, info, "libFoundation.so");
  find(&networking, info, "libFoundationNetworking.so");
  find(&xctest, info, "libXCTest.so");
  return 0;
}

__attribute__((constructor)) static void find_code(void) {
  dl_iterate_phdr(look, NULL);
  void *function = dlsym(RTLD_DEFAULT, "swift_get_time");
  Dl_info info;
  const ElfW(Sym) *symbol = NULL;
  // The size is known only if the runtime is a shared library.
  if (function && dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol) {
    runtime_reader.start = (uintptr_t)function;
    runtime_reader.end = (uintptr_t)function + symbol->st_size;
  }
}

UNSANITIZED static int read_system(clockid_t clock, struct timespec *time) {
  clock_reader read = __atomic_load_n(&system_reader, __ATOMIC_RELAXED);
  if (!read) {
    read = (clock_reader)dlsym(RTLD_NEXT, "clock_gettime");
    if (!read) return (int)syscall(SYS_clock_gettime, clock, time);
    __atomic_store_n(&system_reader, read, __ATOMIC_RELAXED);
  }
  return read(clock, time);
}

// The clock that the caller wants to show: which one, or -1 if it must be real.
UNSANITIZED static int shown_clock(clockid_t clock, uintptr_t caller, uintptr_t callers_caller) {
  if (holds(&runtime_reader, caller)) {
    return clock == CLOCK_BOOTTIME    ? ambient_clock_continuous
           : clock == CLOCK_MONOTONIC ? ambient_clock_suspending
                                      : ambient_clock_date;
  }
  if (clock != CLOCK_REALTIME || !holds(&essentials, caller)) return -1;
  // Foundation's timers, caches and cookies keep their time.
  const bool is_own = holds(&foundation, callers_caller) || holds(&networking, callers_caller)
                      || holds(&xctest, callers_caller);
  return is_own ? -1 : ambient_clock_date;
}

REPLACING int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!ambient_clocks_are_shown()) return read_system(clock, time);
  const int result = read_system(clock, time);
  if (result) return result;
  const uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  // The address is valid if the caller has a frame pointer, as all of Swift's libraries have.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wframe-address"
  const uintptr_t callers_caller =
      holds(&essentials, caller) ? (uintptr_t)__builtin_return_address(1) : 0;
#pragma clang diagnostic pop
  const int shown = shown_clock(clock, caller, callers_caller);
  int64_t seconds = 0, nanoseconds = 0;
  if (shown >= 0 && ambient_clocks_read((enum ambient_clock)shown, &seconds, &nanoseconds)) {
    time->tv_sec = seconds;
    time->tv_nsec = nanoseconds;
  }
  return result;
}
#endif
