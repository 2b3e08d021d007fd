// SPDX-License-Identifier: Apache-2.0

#ifndef C_VIRTUAL_TIME_H
#define C_VIRTUAL_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The scheduler of the virtual-time scope whose jobs this thread is running, or null. The variable
// is declared in C, because Swift has no thread-local variables.
extern _Thread_local void *ambient_scope;

static inline void *ambient_scope_load(void) { return ambient_scope; }

static inline void ambient_scope_store(void *scope) { ambient_scope = scope; }

// The origin of the jobs that this thread enqueues: a JobOrigin, which is a Swift enum, encoded as
// an integer.
extern _Thread_local uint64_t ambient_arrival;

static inline uint64_t ambient_arrival_load(void) { return ambient_arrival; }

static inline void ambient_arrival_store(uint64_t arrival) { ambient_arrival = arrival; }

// The calling thread's number, as gettid(2) returns it; zero on systems other than Linux.
uint32_t ambient_thread_number(void);

// The total number of nanoseconds that the thread with that number has waited for a processor; zero
// if unknown.
uint64_t ambient_thread_waited(uint32_t number);

// A serial executor as the runtime passes it: two words.
struct ambient_executor {
  uintptr_t identity;
  uintptr_t implementation;
};

// The type of a function that offers a job to the scopes when the job is about to go to the pool,
// which is the threads of Swift's global executor. The function returns true if a scope takes the
// job. `scope` is the scope whose jobs this thread is running, or null; `task` is the number of the
// job's task, or zero if it has none; `outside` is true if a task that begins now belongs to no
// scope.
typedef bool (*ambient_take)(void *job, void *scope, uint64_t task, bool outside);

// Sets the function that takes jobs, and the executor that replaces the main actor's in a scope.
void ambient_jobs_connect(ambient_take take, struct ambient_executor main);

// Sets the number of bare tasks that belong to open scopes. While the number is not zero, the jobs
// of all threads are offered to the scopes, because code outside a scope may resume such a task.
void ambient_jobs_watch(uint64_t count);

// Offers the scopes a job that is about to go to the pool. Returns true if a scope takes the job.
// Thread-safe.
bool ambient_jobs_offer(void *job);

// The mechanism by which scopes see the jobs that go to the pool: none; a default executor that
// offers the jobs to them; or the runtime's hook (swift_task_enqueueGlobal_hook), which is set
// while scopes are open. The hook is the last resort, because other libraries assume that a hook
// which is already set is one of their own.
enum ambient_jobs_way { ambient_jobs_unseen, ambient_jobs_by_executor, ambient_jobs_by_hook };

// Selects the mechanism `by`, and installs the main executor's hook unless another library's hook
// is set. Returns false, without effect, if the runtime has no hooks.
bool ambient_jobs_see(enum ambient_jobs_way by);

enum ambient_jobs_way ambient_jobs_way(void);

// ambient_jobs_open must be called when a scope opens, and ambient_jobs_close when a scope closes.
// They are not thread-safe: the caller must serialize the calls.
void ambient_jobs_open(void);
void ambient_jobs_close(void);

// These functions are for use while a scope is open.
//
// ambient_jobs_others_hook returns the address of another library's enqueue hook, which may take
// jobs before they are offered. It returns 1 if our enqueue hook was removed, or if the main
// executor's hook is not ours; otherwise it returns 0. ambient_jobs_others_main_hook returns true
// if the main executor's hook is not ours.
uintptr_t ambient_jobs_others_hook(void);
bool ambient_jobs_others_main_hook(void);

// A thread starts one task between these calls. ambient_jobs_probe_end returns true if the task's
// job was offered.
void ambient_jobs_probe_begin(void);
bool ambient_jobs_probe_end(void);

// A clock of the system, as code asks for it: `Date()`, `ContinuousClock` and `SuspendingClock`.
enum ambient_clock { ambient_clock_date, ambient_clock_continuous, ambient_clock_suspending };

// The type of a function that reads a clock for the calling task: the whole seconds and the
// nanoseconds that it shows, since 1970 or since an arbitrary origin. It returns false if the clock
// is real there.
typedef bool (*ambient_clock_reader)(
    enum ambient_clock clock, int64_t *seconds, int64_t *nanoseconds);

void ambient_clocks_connect(ambient_clock_reader reader);

// The number of open scopes that show their time to clocks, and of threads that test their clocks;
// changed by ambient_clocks_count alone.
extern int64_t ambient_clocks_scopes;
void ambient_clocks_count(int64_t change);

// Whether that number is not 0. Each reading of a clock asks, so it costs one load.
static inline bool ambient_clocks_are_shown(void) {
  return __atomic_load_n(&ambient_clocks_scopes, __ATOMIC_RELAXED) != 0;
}

// Calls the reader. Within the call, all clocks of the thread are real.
bool ambient_clocks_read(enum ambient_clock clock, int64_t *seconds, int64_t *nanoseconds);

// Between these calls, each clock of the thread shows `ambient_clocks_probe_seconds`, if something
// reads it by ambient_clocks_read.
#define ambient_clocks_probe_seconds (1LL << 36)
void ambient_clocks_probe_begin(void);
void ambient_clocks_probe_end(void);

// ambient_tests_limit returns the number of seconds that a test program waits for a scope that was
// asked to end, but neither ends nor makes progress. 0, the value in all other programs, means to
// wait for ever. ambient_tests_set_limit sets the number. ambient_tests_read_limit sets the number
// that the text contains, or 60 if the text is null. If the text is not a number from 0 to
// UINT32_MAX, ambient_tests_read_limit sets 60, and reports the text on standard error.
void ambient_tests_set_limit(uint32_t seconds);
void ambient_tests_read_limit(const char *text);
uint32_t ambient_tests_limit(void);

// Ends the program with EXIT_FAILURE, without exit handlers, because the exit handlers of other
// code might block.
_Noreturn void ambient_tests_end(void);

// The number of the job's task, unique in the process; zero if the job belongs to no task.
uint64_t ambient_job_task(void *job);

// Writes where the job's task resumes: its next function, then those that await it. Returns their
// number, `capacity` at most; zero if the job has no task, or if the layout of tasks is not known.
// The job must not have run. Each address is raised by one, because the return address of a call
// lies behind the call, too.
size_t ambient_job_places(void *job, uintptr_t *addresses, size_t capacity);

// True if the job is that of a cancelled task.
bool ambient_job_is_cancelled(void *job);

// The number of the task that runs on this thread; zero if none runs.
uint64_t ambient_current_task(void);

// The task that runs on this thread, an object of the runtime; null if none runs.
void *ambient_current_task_object(void);

// Whether the task is one of `async let`. Its memory is its parent's: it cannot be retained, and is
// freed when the task has ended and its parent leaves the scope of the `async let`.
bool ambient_task_is_async_let(void *task);

// The task that awaits `task`, which is a child of a task group or of `async let`; null if the task
// isn't a child. The parent lives until the child has ended.
void *ambient_task_parent(void *task);

// Writes where the functions resume that wait for the current task's Task.sleep, the innermost
// first, and returns their number, `capacity` at most. `job` ends the sleep, and is about to be
// scheduled: call this in the sleeping task. If it is another job, the number is zero. Each address
// is raised by one, too.
size_t ambient_sleep_callers(void *job, uintptr_t *addresses, size_t capacity);

// Whether the current task, or the thread if no task runs, has a task-local value for that key: the
// address of a `TaskLocal`.
bool ambient_task_local_is_bound(void *key);

// Cancels the task, whose memory must be valid.
void ambient_task_cancel(void *task);

#endif
