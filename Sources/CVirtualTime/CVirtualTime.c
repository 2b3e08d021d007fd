#include "CVirtualTime.h"

#include <stddef.h>

#define SWIFT_CALL __attribute__((swiftcall))

// The hooks are globals of the concurrency library, with thin functions of the original, as its
// header ExecutorImpl.h has their kin. Declared weak, so that a library without them still links:
// dlsym would find nothing in a static program.
typedef SWIFT_CALL void (*enqueue_original)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue_original original);
typedef SWIFT_CALL struct ambient_executor (*main_original)(void);
typedef SWIFT_CALL struct ambient_executor (*main_hook)(main_original original);

extern enqueue_hook swift_task_enqueueGlobal_hook __attribute__((weak));
extern main_hook swift_task_getMainExecutor_hook __attribute__((weak));
extern SWIFT_CALL uint64_t swift_task_getJobTaskId(void *job) __attribute__((weak));

// As in ExecutorImpl.h: the low byte of the flags is the job's kind, zero for a task.
struct job {
  const void *metadata;
  uintptr_t references;
  void *scheduler_private[2];
  uint32_t flags;
};

// Whether this thread is in the hook that was there before ours, which may call ours again, if it
// was installed after ours and chained to it: then it is the turn of what was there at first.
static _Thread_local bool is_chained = false;

static ambient_take taker = NULL;
static struct ambient_executor scope_main = {0, 0};
static uint64_t watched = 0;
static bool was_installed = false;
static enqueue_hook first_enqueue = NULL, previous_enqueue = NULL;
static main_hook first_main = NULL, previous_main = NULL;

bool ambient_hooks_offer(void *job) {
  void *scope = ambient_scope;
  if (!scope && !__atomic_load_n(&watched, __ATOMIC_ACQUIRE)) return false;
  ambient_take take = __atomic_load_n(&taker, __ATOMIC_ACQUIRE);
  return take && take(job, scope, ambient_job_task(job));
}

static SWIFT_CALL void enqueue(void *job, enqueue_original original) {
  if (!is_chained && ambient_hooks_offer(job)) return;
  enqueue_hook next =
      __atomic_load_n(is_chained ? &first_enqueue : &previous_enqueue, __ATOMIC_ACQUIRE);
  if (!next) return original(job);
  bool was_chained = is_chained;
  is_chained = true;
  next(job, original);
  is_chained = was_chained;
}

static SWIFT_CALL struct ambient_executor main_executor(main_original original) {
  if (!is_chained && ambient_scope && scope_main.identity) return scope_main;
  main_hook next = __atomic_load_n(is_chained ? &first_main : &previous_main, __ATOMIC_ACQUIRE);
  if (!next) return original();
  bool was_chained = is_chained;
  is_chained = true;
  struct ambient_executor result = next(original);
  is_chained = was_chained;
  return result;
}

void ambient_hooks_connect(ambient_take take, struct ambient_executor main) {
  scope_main = main;
  __atomic_store_n(&taker, take, __ATOMIC_RELEASE);
}

void ambient_hooks_watch(uint64_t count) { __atomic_store_n(&watched, count, __ATOMIC_RELEASE); }

bool ambient_hooks_install(void) {
  if (!&swift_task_enqueueGlobal_hook || !&swift_task_getMainExecutor_hook) return false;
  bool is_first = !__atomic_exchange_n(&was_installed, true, __ATOMIC_ACQ_REL);
  enqueue_hook there = __atomic_load_n(&swift_task_enqueueGlobal_hook, __ATOMIC_ACQUIRE);
  if (there != enqueue) {
    if (is_first) first_enqueue = there;
    __atomic_store_n(&previous_enqueue, there, __ATOMIC_RELEASE);
    __atomic_store_n(&swift_task_enqueueGlobal_hook, enqueue, __ATOMIC_RELEASE);
  }
  main_hook main_there = __atomic_load_n(&swift_task_getMainExecutor_hook, __ATOMIC_ACQUIRE);
  if (main_there != main_executor) {
    if (is_first) first_main = main_there;
    __atomic_store_n(&previous_main, main_there, __ATOMIC_RELEASE);
    __atomic_store_n(&swift_task_getMainExecutor_hook, main_executor, __ATOMIC_RELEASE);
  }
  return true;
}

enum ambient_hooks_state ambient_hooks_state(void) {
  if (!__atomic_load_n(&was_installed, __ATOMIC_ACQUIRE)) return ambient_hooks_absent;
  return __atomic_load_n(&swift_task_enqueueGlobal_hook, __ATOMIC_ACQUIRE) == enqueue
                 && __atomic_load_n(&swift_task_getMainExecutor_hook, __ATOMIC_ACQUIRE) == main_executor
             ? ambient_hooks_ours
             : ambient_hooks_replaced;
}

uint64_t ambient_job_task(void *job) {
  if (!&swift_task_getJobTaskId || (((struct job *)job)->flags & 0xff) != 0) return 0;
  return swift_task_getJobTaskId(job);
}
