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
extern SWIFT_CALL bool swift_task_isCancelled(void *task) __attribute__((weak));
extern SWIFT_CALL void *swift_task_getCurrent(void) __attribute__((weak));

// As in ExecutorImpl.h: the low byte of the flags is the job's kind, zero for a task.
struct job {
  const void *metadata;
  uintptr_t references;
  void *scheduler_private[2];
  uint32_t flags;
};

static ambient_take taker = NULL;
static struct ambient_executor scope_main = {0, 0};
static uint64_t watched = 0;
static bool was_installed = false;

// The hooks of others that ours were put in front of, the last one first asked. One that was
// installed after ours may be chained to ours, and call it again: then it is the turn of the one
// before it. How many this thread is in is counted, so that each is asked once.
enum { most_hooks = 8 };

struct others {
  void *hooks[most_hooks];
  int count;
};

static struct others enqueue_others, main_others;
static _Thread_local int enqueue_depth = 0, main_depth = 0;

static void *other(struct others *others, int depth) {
  const int count = __atomic_load_n(&others->count, __ATOMIC_ACQUIRE);
  return depth < count ? __atomic_load_n(&others->hooks[count - 1 - depth], __ATOMIC_RELAXED) : NULL;
}

// The caller installs one hook at a time.
static bool add(struct others *others, void *hook) {
  if (!hook) return true;
  int count = others->count;
  // One that was put in front again is asked first, and not twice.
  for (int at = 0; at < count; at++) {
    if (others->hooks[at] != hook) continue;
    for (; at + 1 < count; at++)
      __atomic_store_n(&others->hooks[at], others->hooks[at + 1], __ATOMIC_RELAXED);
    count -= 1;
  }
  if (count == most_hooks) return false;
  __atomic_store_n(&others->hooks[count], hook, __ATOMIC_RELAXED);
  __atomic_store_n(&others->count, count + 1, __ATOMIC_RELEASE);
  return true;
}

bool ambient_hooks_offer(void *job) {
  void *scope = ambient_scope;
  if (!scope && !__atomic_load_n(&watched, __ATOMIC_ACQUIRE)) return false;
  ambient_take take = __atomic_load_n(&taker, __ATOMIC_ACQUIRE);
  return take && take(job, scope, ambient_job_task(job), ambient_outside);
}

static SWIFT_CALL void enqueue(void *job, enqueue_original original) {
  if (!enqueue_depth && ambient_hooks_offer(job)) return;
  const enqueue_hook next = (enqueue_hook)other(&enqueue_others, enqueue_depth);
  if (!next) return original(job);
  enqueue_depth += 1;
  next(job, original);
  enqueue_depth -= 1;
}

static SWIFT_CALL struct ambient_executor main_executor(main_original original) {
  if (!main_depth && ambient_scope && !ambient_outside && scope_main.identity) return scope_main;
  const main_hook next = (main_hook)other(&main_others, main_depth);
  if (!next) return original();
  main_depth += 1;
  const struct ambient_executor result = next(original);
  main_depth -= 1;
  return result;
}

void ambient_hooks_connect(ambient_take take, struct ambient_executor main) {
  scope_main = main;
  __atomic_store_n(&taker, take, __ATOMIC_RELEASE);
}

void ambient_hooks_watch(uint64_t count) { __atomic_store_n(&watched, count, __ATOMIC_RELEASE); }

bool ambient_hooks_install(void) {
  if (!&swift_task_enqueueGlobal_hook || !&swift_task_getMainExecutor_hook) return false;
  __atomic_store_n(&was_installed, true, __ATOMIC_RELEASE);
  const enqueue_hook there = __atomic_load_n(&swift_task_enqueueGlobal_hook, __ATOMIC_ACQUIRE);
  if (there != enqueue) {
    if (!add(&enqueue_others, (void *)there)) return false;
    __atomic_store_n(&swift_task_enqueueGlobal_hook, enqueue, __ATOMIC_RELEASE);
  }
  const main_hook main_there = __atomic_load_n(&swift_task_getMainExecutor_hook, __ATOMIC_ACQUIRE);
  if (main_there != main_executor) {
    if (!add(&main_others, (void *)main_there)) return false;
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

static bool is_task(void *job) { return (((struct job *)job)->flags & 0xff) == 0; }

uint64_t ambient_job_task(void *job) {
  return &swift_task_getJobTaskId && is_task(job) ? swift_task_getJobTaskId(job) : 0;
}

bool ambient_job_is_cancelled(void *job) {
  return &swift_task_isCancelled && is_task(job) && swift_task_isCancelled(job);
}

uint64_t ambient_current_task(void) {
  void *task = &swift_task_getCurrent ? swift_task_getCurrent() : NULL;
  return task ? ambient_job_task(task) : 0;
}
