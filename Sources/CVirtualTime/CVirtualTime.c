// SPDX-License-Identifier: Apache-2.0

#include "CVirtualTime.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "CAmbient.h"

#define SWIFT_CALL __attribute__((swiftcall))

// The hooks are globals of Swift's concurrency library. Each hook is passed, as a thin function,
// the function that the library would call without the hook. The globals are weak, so that a
// program links with a library that lacks them. They are not looked up with dlsym(3), because it
// would find nothing in a static program.
typedef SWIFT_CALL void (*enqueue_original)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue_original original);
typedef SWIFT_CALL struct ambient_executor (*main_original)(void);
typedef SWIFT_CALL struct ambient_executor (*main_hook)(main_original original);

extern enqueue_hook swift_task_enqueueGlobal_hook __attribute__((weak));
extern main_hook swift_task_getMainExecutor_hook __attribute__((weak));
extern SWIFT_CALL uint64_t swift_task_getJobTaskId(void *job) __attribute__((weak));
extern SWIFT_CALL bool swift_task_isCancelled(void *task) __attribute__((weak));
extern SWIFT_CALL void *swift_task_getCurrent(void) __attribute__((weak));
extern SWIFT_CALL void swift_task_cancel(void *task) __attribute__((weak));
extern SWIFT_CALL void *swift_task_localValueGet(void *key) __attribute__((weak));
// The number of bytes of a task, behind which a child task has its parent.
extern const size_t _swift_concurrency_debug_asyncTaskSize __attribute__((weak));
// The version of the layout of tasks and frames, which debuggers ask.
extern const uint32_t _swift_concurrency_debug_internal_layout_version __attribute__((weak));

// A job's head, as in ExecutorImpl.h: the low byte of `flags` is the job's kind, zero for a task.
struct job {
  const void *metadata;
  uintptr_t references;
  void *scheduler_private[2];
  uint32_t flags;
  uint32_t number;
};

// The kind of a job without a task, which resumes a continuation.
static const uint32_t continuation_kind = 0xc3;
// Flags of a task: it is a child; it has a result; it is one of `async let`.
static const uint32_t is_child = 1u << 24, has_result = 1u << 25, is_async_let = 1u << 28;

// The frame of an asynchronous function: that of its caller, and where it resumes its caller.
struct context {
  const struct context *parent;
  uintptr_t resume;
};

// A task's head: where it resumes, and the frame of the innermost function that waits in it.
struct task {
  struct job job;
  void *reserved[2];
  uintptr_t resume;
  const struct context *context;
};

static ambient_take taker = NULL;
static struct ambient_executor scope_main = {0, 0};
static uint64_t watched = 0;
static enum ambient_jobs_way way = ambient_jobs_unseen;

// Not 0 while this thread tests whether its jobs are offered to the scopes. The test begins with
// the value 1. A call of ambient_jobs_offer during the test changes the value to 2.
static _Thread_local int probe = 0;

bool ambient_jobs_offer(void *job) {
  if (probe) probe = 2;
  void *scope = ambient_scope;
  if (!scope && !__atomic_load_n(&watched, __ATOMIC_ACQUIRE)) return false;
  ambient_take take = __atomic_load_n(&taker, __ATOMIC_ACQUIRE);
  return take && take(job, scope, ambient_job_task(job), ambient_outside_load());
}

void ambient_jobs_probe_begin(void) { probe = 1; }

bool ambient_jobs_probe_end(void) {
  const bool was_seen = probe == 2;
  probe = 0;
  return was_seen;
}

void ambient_jobs_connect(ambient_take take, struct ambient_executor main) {
  scope_main = main;
  __atomic_store_n(&taker, take, __ATOMIC_RELEASE);
}

void ambient_jobs_watch(uint64_t count) { __atomic_store_n(&watched, count, __ATOMIC_RELEASE); }

// `beneath` is the hook of another library that our hook has replaced and calls, or NULL if there
// is none. The other hook may call ours in turn, if it replaced ours earlier. `is_enqueueing` marks
// such a nested call, which passes the job to the pool.
static enqueue_hook beneath = NULL;
static int scopes_open = 0;
static _Thread_local bool is_enqueueing = false;

static SWIFT_CALL void enqueue(void *job, enqueue_original original) {
  if (is_enqueueing) return original(job);
  if (ambient_jobs_offer(job)) return;
  const enqueue_hook next = __atomic_load_n(&beneath, __ATOMIC_ACQUIRE);
  if (!next) return original(job);
  is_enqueueing = true;
  next(job, original);
  is_enqueueing = false;
}

static SWIFT_CALL struct ambient_executor main_executor(main_original original) {
  return ambient_scope && !ambient_outside_load() && scope_main.identity ? scope_main : original();
}

// Installs our hook only if no hook is set, because another library's hook must not be replaced.
static void set_main_hook(void) {
  main_hook none = NULL;
  __atomic_compare_exchange_n(
      &swift_task_getMainExecutor_hook, &none, main_executor, false, __ATOMIC_ACQ_REL,
      __ATOMIC_ACQUIRE);
}

bool ambient_jobs_see(enum ambient_jobs_way by) {
  if (!&swift_task_enqueueGlobal_hook || !&swift_task_getMainExecutor_hook) return false;
  set_main_hook();
  __atomic_store_n(&way, by, __ATOMIC_RELEASE);
  return true;
}

enum ambient_jobs_way ambient_jobs_way(void) { return __atomic_load_n(&way, __ATOMIC_ACQUIRE); }

// The caller serializes the opening and the closing of scopes, but another library may set the hook
// at the same time. Therefore a compare-and-swap replaces the hook only if it is still the one that
// was stored in `beneath`.
void ambient_jobs_open(void) {
  const enum ambient_jobs_way by = ambient_jobs_way();
  if (by == ambient_jobs_unseen) return;
  set_main_hook();
  if (by != ambient_jobs_by_hook) return;
  scopes_open += 1;
  enqueue_hook there = __atomic_load_n(&swift_task_enqueueGlobal_hook, __ATOMIC_ACQUIRE);
  while (there != enqueue) {
    __atomic_store_n(&beneath, there, __ATOMIC_RELEASE);
    if (__atomic_compare_exchange_n(
            &swift_task_enqueueGlobal_hook, &there, enqueue, false, __ATOMIC_ACQ_REL,
            __ATOMIC_ACQUIRE))
      return;
  }
}

// When the last scope closes, restores the hook in `beneath`, if our hook is still set. A library
// that has replaced our hook with its own may restore ours later. By then the hook in `beneath` may
// no longer be valid, so `beneath` is cleared.
void ambient_jobs_close(void) {
  if (ambient_jobs_way() != ambient_jobs_by_hook) return;
  scopes_open -= 1;
  enqueue_hook there = enqueue;
  if (scopes_open > 0)
    there = __atomic_load_n(&swift_task_enqueueGlobal_hook, __ATOMIC_ACQUIRE);
  else
    __atomic_compare_exchange_n(
        &swift_task_enqueueGlobal_hook, &there, __atomic_load_n(&beneath, __ATOMIC_ACQUIRE), false,
        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  if (scopes_open == 0 || there != enqueue) __atomic_store_n(&beneath, NULL, __ATOMIC_RELEASE);
}

uintptr_t ambient_jobs_others_hook(void) {
  const enum ambient_jobs_way by = ambient_jobs_way();
  if (by == ambient_jobs_unseen) return 0;
  const enqueue_hook there = __atomic_load_n(&swift_task_enqueueGlobal_hook, __ATOMIC_ACQUIRE);
  if (there && there != enqueue) return (uintptr_t)there;
  // If no hook is set while a scope is open, another library had replaced our hook by its own, and
  // has removed its hook without restoring ours.
  return (!there && by == ambient_jobs_by_hook) || ambient_jobs_others_main_hook();
}

bool ambient_jobs_others_main_hook(void) {
  return ambient_jobs_way() != ambient_jobs_unseen
         && __atomic_load_n(&swift_task_getMainExecutor_hook, __ATOMIC_ACQUIRE) != main_executor;
}

static uint32_t tests_limit = 0;

void ambient_tests_set_limit(uint32_t seconds) {
  __atomic_store_n(&tests_limit, seconds, __ATOMIC_RELAXED);
}

void ambient_tests_read_limit(const char *text) {
  uint32_t limit = 60;
  if (text) {
    char *end = NULL;
    errno = 0;
    const unsigned long long seconds = strtoull(text, &end, 10);
    // strtoull(3) also accepts space and a sign before the digits; a limit has neither.
    if (*text >= '0' && *text <= '9' && !*end && !errno && seconds <= UINT32_MAX)
      limit = (uint32_t)seconds;
    else {
      // Shows no byte of the text that could steer a terminal.
      char shown[80];
      size_t length = 0;
      for (; text[length] && length < sizeof shown - 1; length++)
        shown[length] = text[length] >= ' ' && text[length] <= '~' ? text[length] : '?';
      shown[length] = 0;
      fprintf(
          stderr,
          "Ambient: invalid AMBIENT_TESTS_LIMIT “%s%s”: expected seconds from 0 to %u; using 60.\n",
          shown, text[length] ? "…" : "", UINT32_MAX);
    }
  }
  ambient_tests_set_limit(limit);
}

uint32_t ambient_tests_limit(void) { return __atomic_load_n(&tests_limit, __ATOMIC_RELAXED); }

_Noreturn void ambient_tests_end(void) { _exit(EXIT_FAILURE); }

static bool is_task(void *job) { return (((struct job *)job)->flags & 0xff) == 0; }

uint64_t ambient_job_task(void *job) {
  return &swift_task_getJobTaskId && is_task(job) ? swift_task_getJobTaskId(job) : 0;
}

// Whether the runtime has the layout of `struct task` and `struct context`, with plain pointers.
static bool knows_layout(void) {
#if defined(__has_feature) && __has_feature(ptrauth_calls)
  return false;
#else
  return &_swift_concurrency_debug_internal_layout_version
         && _swift_concurrency_debug_internal_layout_version == 1;
#endif
}

// Writes where the callers resume, the innermost first, behind the first `count` addresses; returns
// the number of addresses. Each is raised by one, because a return address lies behind its call.
static size_t write_callers(
    const struct context *frame, uintptr_t *addresses, size_t count, size_t capacity) {
  for (; frame && frame->resume && count < capacity; frame = frame->parent)
    addresses[count++] = frame->resume + 1;
  return count;
}

size_t ambient_job_places(void *job, uintptr_t *addresses, size_t capacity) {
  const struct task *task = job;
  if (!knows_layout() || !is_task(job) || !capacity || !task->resume) return 0;
  // Valid: the task does not run, so each caller's frame lives.
  addresses[0] = task->resume + 1;
  return write_callers(task->context, addresses, 1, capacity);
}

bool ambient_job_is_cancelled(void *job) {
  return &swift_task_isCancelled && is_task(job) && swift_task_isCancelled(job);
}

void *ambient_current_task_object(void) {
  return &swift_task_getCurrent ? swift_task_getCurrent() : NULL;
}

bool ambient_task_is_async_let(void *task) {
  return is_task(task) && ((struct job *)task)->flags & is_async_let;
}

uint64_t ambient_current_task(void) {
  void *task = ambient_current_task_object();
  return task ? ambient_job_task(task) : 0;
}

void *ambient_task_parent(void *task) {
  if (!knows_layout() || !&_swift_concurrency_debug_asyncTaskSize || !is_task(task)) return NULL;
  if (!(((struct job *)task)->flags & is_child)) return NULL;
  return *(void **)((char *)task + _swift_concurrency_debug_asyncTaskSize);
}

// Whether Task.sleep made the job to end a sleep. Of all tasks, only those that it makes have no
// priority. Its deprecated form makes no task.
static bool is_sleep(const struct job *job) {
  return job->flags == has_result || (job->flags & 0xff) == continuation_kind;
}

size_t ambient_sleep_callers(void *job, uintptr_t *addresses, size_t capacity) {
  const struct task *task = ambient_current_task_object();
  if (!knows_layout() || !task || !is_sleep(job)) return 0;
  // Valid: Task.sleep has stored the frame from which its task will resume, and each caller's frame
  // lives until the function that it called returns.
  return write_callers(task->context, addresses, 0, capacity);
}

bool ambient_task_local_is_bound(void *key) {
  return &swift_task_localValueGet && swift_task_localValueGet(key);
}

void ambient_task_cancel(void *task) {
  if (&swift_task_cancel) swift_task_cancel(task);
}
