// SPDX-License-Identifier: Apache-2.0

#include <inttypes.h>
#include <stdio.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "CVirtualTime.h"

_Thread_local void *ambient_scope = NULL;
_Thread_local uint64_t ambient_arrival = 0;

uint32_t ambient_thread_number(void) {
#ifdef __linux__
  static _Thread_local uint32_t number = 0;
  if (!number) number = (uint32_t)syscall(SYS_gettid);
  return number;
#else
  return 0;
#endif
}

uint64_t ambient_thread_waited(uint32_t number) {
#ifdef __linux__
  // A thread's file `schedstat` contains the nanoseconds that the thread has spent on a processor,
  // the nanoseconds that it has waited for one, and the number of its time slices:
  // https://docs.kernel.org/scheduler/sched-stats.html
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%" PRIu32 "/schedstat", number);
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  uint64_t ran = 0, waited = 0;
  const int count = fscanf(file, "%" SCNu64 " %" SCNu64, &ran, &waited);
  fclose(file);
  return count == 2 ? waited : 0;
#else
  (void)number;
  return 0;
#endif
}
