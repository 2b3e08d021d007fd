// SPDX-License-Identifier: Apache-2.0

#include "CHooks.h"

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*enqueue_original)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue_original original);

extern enqueue_hook swift_task_enqueueGlobal_hook __attribute__((weak));

static enqueue_hook previous[9] = {NULL};
static long jobs[9] = {0};

// Atomic, since tests change hooks while other threads use them.
static SWIFT_CALL void pass_on(int number, void *job, enqueue_original original) {
  __atomic_add_fetch(&jobs[number], 1, __ATOMIC_RELAXED);
  enqueue_hook next = __atomic_load_n(&previous[number], __ATOMIC_ACQUIRE);
  next ? next(job, original) : original(job);
}

static void set_hook(enqueue_hook hook) {
  __atomic_store_n(&swift_task_enqueueGlobal_hook, hook, __ATOMIC_RELEASE);
}

static enqueue_hook current_hook(void) {
  return __atomic_load_n(&swift_task_enqueueGlobal_hook, __ATOMIC_ACQUIRE);
}

#define HOOK(number) \
  static SWIFT_CALL void hook##number(void *job, enqueue_original original) { \
    pass_on(number, job, original); \
  }
HOOK(0) HOOK(1) HOOK(2) HOOK(3) HOOK(4) HOOK(5) HOOK(6) HOOK(7) HOOK(8)

static const enqueue_hook hooks[9] = {hook0, hook1, hook2, hook3, hook4, hook5, hook6, hook7, hook8};

void install_foreign_hook(int number, int chained) {
  if (!&swift_task_enqueueGlobal_hook) return;
  __atomic_store_n(&previous[number], chained ? current_hook() : NULL, __ATOMIC_RELEASE);
  set_hook(hooks[number]);
}

void restore_foreign_hook(int number) {
  if (&swift_task_enqueueGlobal_hook) {
    set_hook(__atomic_load_n(&previous[number], __ATOMIC_ACQUIRE));
  }
}

long foreign_hook_jobs(int number) { return __atomic_load_n(&jobs[number], __ATOMIC_RELAXED); }

bool enqueue_hook_is_set(void) {
  return &swift_task_enqueueGlobal_hook && current_hook();
}

void clear_enqueue_hook(void) {
  if (&swift_task_enqueueGlobal_hook) set_hook(NULL);
}

extern SWIFT_CALL void swift_task_enqueueMainExecutor(void *job) __attribute__((weak));

static SWIFT_CALL void to_main(void *job, enqueue_original original) {
  (void)original;
  swift_task_enqueueMainExecutor(job);
}

void set_main_serial_executor(bool uses) {
  if (&swift_task_enqueueGlobal_hook) set_hook(uses ? to_main : NULL);
}

struct executor {
  uintptr_t identity;
  uintptr_t implementation;
};
typedef SWIFT_CALL struct executor (*main_original)(void);
typedef SWIFT_CALL struct executor (*main_hook)(main_original original);

extern main_hook swift_task_getMainExecutor_hook __attribute__((weak));

static SWIFT_CALL struct executor to_original(main_original original) { return original(); }

void set_main_executor_hook(bool is_set) {
  if (&swift_task_getMainExecutor_hook)
    swift_task_getMainExecutor_hook = is_set ? to_original : NULL;
}

int64_t seconds_in_c(void) {
  struct timespec time = {0, 0};
  clock_gettime(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec;
}
