#include "CHooks.h"

#include <stddef.h>

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*enqueue_original)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue_original original);

extern enqueue_hook swift_task_enqueueGlobal_hook __attribute__((weak));

static enqueue_hook previous[2] = {NULL, NULL};
static long jobs[2] = {0, 0};

static SWIFT_CALL void pass_on(int number, void *job, enqueue_original original) {
  __atomic_add_fetch(&jobs[number], 1, __ATOMIC_RELAXED);
  previous[number] ? previous[number](job, original) : original(job);
}

static SWIFT_CALL void first(void *job, enqueue_original original) { pass_on(0, job, original); }

static SWIFT_CALL void second(void *job, enqueue_original original) { pass_on(1, job, original); }

void install_foreign_hook(int number, int chained) {
  if (!&swift_task_enqueueGlobal_hook) return;
  previous[number] = chained ? swift_task_enqueueGlobal_hook : NULL;
  swift_task_enqueueGlobal_hook = number ? second : first;
}

long foreign_hook_jobs(int number) { return __atomic_load_n(&jobs[number], __ATOMIC_RELAXED); }
