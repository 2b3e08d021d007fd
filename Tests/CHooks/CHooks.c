#include "CHooks.h"

#include <stddef.h>

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*enqueue_original)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue_original original);

extern enqueue_hook swift_task_enqueueGlobal_hook __attribute__((weak));

static enqueue_hook previous = NULL;
static long jobs = 0;

static SWIFT_CALL void foreign(void *job, enqueue_original original) {
  __atomic_add_fetch(&jobs, 1, __ATOMIC_RELAXED);
  previous ? previous(job, original) : original(job);
}

void install_foreign_hook(int chained) {
  if (!&swift_task_enqueueGlobal_hook) return;
  previous = chained ? swift_task_enqueueGlobal_hook : NULL;
  swift_task_enqueueGlobal_hook = foreign;
}

long foreign_hook_jobs(void) { return __atomic_load_n(&jobs, __ATOMIC_RELAXED); }
