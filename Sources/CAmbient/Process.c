// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CAmbient.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#ifdef __linux__
#include <sys/auxv.h>
#include <sys/resource.h>
#else
#include <unistd.h>
#endif

#include "Visibility.h"

// Zero lets records of every level pass. When the first record is logged, LogGate replaces zero by
// the lowest level that any log accepts.
OWN uint8_t ambient_log_gate = 0;

OWN _Thread_local struct ambient_thread ambient_thread = {{0, 0}, NULL, NULL, 0, 0, 0};

OWN uintptr_t ambient_current_thread(void) { return (uintptr_t)pthread_self(); }

OWN void ambient_yield_to_others(void) {
#ifdef __linux__
  setpriority(PRIO_PROCESS, 0, 10);
#endif
}

OWN _Bool ambient_is_privileged(void) {
#ifdef __linux__
  return getauxval(AT_SECURE) != 0;
#else
  return issetugid() != 0;
#endif
}

OWN uint8_t ambient_forked = 0;

OWN uint32_t ambient_fork_count = 0;

static void note_fork(void) {
  __atomic_store_n(&ambient_forked, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&ambient_fork_count, 1, __ATOMIC_RELAXED);
  ambient_mappings_forked();
  ambient_locks_forked();
}

OWN _Bool ambient_take_fork(void) {
  return __atomic_exchange_n(&ambient_forked, 0, __ATOMIC_RELAXED);
}

OWN void ambient_watch_forks(void) { pthread_atfork(NULL, NULL, note_fork); }

struct start {
  void (*body)(void *);
  void *context;
};

static void *run_thread(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  start.body(start.context);
  return NULL;
}

OWN _Bool ambient_start_thread(void (*body)(void *context), void *context) {
  struct start *start = malloc(sizeof(*start));
  if (!start) return 0;
  *start = (struct start){body, context};
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  // Looking up symbols needs more stack than some systems give a thread by default.
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // The new thread inherits a mask that blocks signals, so that they reach the program's own
  // threads, which may wait for them. Signals that an instruction of the thread itself causes, such
  // as SIGSEGV, stay unblocked. If such a signal is blocked, the system ends the program without
  // calling the program's handler. So does SIGPROF, as in Dispatch's threads, because profilers use
  // it, and the Swift runtime, which suspends all threads by it to report a crash.
  sigset_t all, own;
  sigfillset(&all);
  const int taken[] = {SIGBUS, SIGSEGV, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGPROF};
  for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++) sigdelset(&all, taken[i]);
  pthread_sigmask(SIG_SETMASK, &all, &own);
  const _Bool started = pthread_create(&thread, &attributes, run_thread, start) == 0;
  pthread_sigmask(SIG_SETMASK, &own, NULL);
  pthread_attr_destroy(&attributes);
  if (!started) free(start);
  return started;
}
