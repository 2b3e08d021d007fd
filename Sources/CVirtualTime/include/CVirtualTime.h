#ifndef C_VIRTUAL_TIME_H
#define C_VIRTUAL_TIME_H

#include <stdbool.h>
#include <stdint.h>

// The scheduler of the scope of virtual time that has its turn on this thread, or null. In C,
// because Swift has no thread-local variables.
extern _Thread_local void *ambient_scope;

static inline void *ambient_scope_load(void) { return ambient_scope; }

static inline void ambient_scope_store(void *scope) { ambient_scope = scope; }

// Whether this thread starts tasks that are to belong to no scope, though one has its turn here.
extern _Thread_local bool ambient_outside;

static inline bool ambient_outside_load(void) { return ambient_outside; }

static inline void ambient_outside_store(bool outside) { ambient_outside = outside; }

// This thread's mark for the jobs that it is about to enqueue. See Arrival.
extern _Thread_local uint64_t ambient_arrival;

static inline uint64_t ambient_arrival_load(void) { return ambient_arrival; }

static inline void ambient_arrival_store(uint64_t arrival) { ambient_arrival = arrival; }

// The thread's number in the system; zero where it has none that others could ask about.
uint32_t ambient_thread_number(void);

// The nanoseconds for which the thread has waited for a processor in all, if the system tells them.
uint64_t ambient_thread_waited(uint32_t number);

// A serial executor as the runtime hands it over: two words.
struct ambient_executor {
  uintptr_t identity;
  uintptr_t implementation;
};

// Whether a scope takes the job that is about to go to the pool: `scope` has its turn on this
// thread, or is null; `task` is the number of the job's task, or zero if it has none; `outside`
// says that a task that begins now belongs to no scope.
typedef bool (*ambient_take)(void *job, void *scope, uint64_t task, bool outside);

// Says which function takes jobs, and which executor stands for the main actor's within a scope.
void ambient_jobs_connect(ambient_take take, struct ambient_executor main);

// How many tasks scopes have taken, which are asked for wherever they are resumed from.
void ambient_jobs_watch(uint64_t count);

// Whether a scope takes the job that is about to go to the pool.
bool ambient_jobs_offer(void *job);

// The ways in which scopes see jobs that go to the pool: not at all, by a default executor that
// offers them, or by the runtime's hook (swift_task_enqueueGlobal_hook), set while scopes are open.
// The hook is the last resort, since other libraries take any hook that is set for their own.
enum ambient_jobs_way { ambient_jobs_unseen, ambient_jobs_by_executor, ambient_jobs_by_hook };

// Chooses the way, and puts in the main executor's hook; false where the runtime has no hooks.
bool ambient_jobs_see(enum ambient_jobs_way by);

enum ambient_jobs_way ambient_jobs_way(void);

// A scope opens, or closes; one call at a time.
void ambient_jobs_open(void);
void ambient_jobs_close(void);

// Asked while a scope is open: the address of a hook of another library that may take jobs before
// they are offered, or 1 if ours is away or the main executor's is another's, or 0; and whether the
// main executor's is another's.
uintptr_t ambient_jobs_others_hook(void);
bool ambient_jobs_others_main_hook(void);

// Between the two the thread starts one task; the second says whether its job was offered.
void ambient_jobs_probe_begin(void);
bool ambient_jobs_probe_end(void);

// For how many seconds a program of tests waits for scopes that can neither go on nor be ended; 0
// in any other program, and for ever. From text, which may be null: 60 if it is no such number, and
// then standard error says so.
void ambient_tests_set_limit(uint32_t seconds);
void ambient_tests_read_limit(const char *text);
uint32_t ambient_tests_limit(void);

// Ends the program with a failure, at once: exit handlers of other code might block.
_Noreturn void ambient_tests_end(void);

// The number of the job's task, unique in the process; zero if the job belongs to no task.
uint64_t ambient_job_task(void *job);

// Whether the job is of a task that was cancelled.
bool ambient_job_is_cancelled(void *job);

// The number of the task that runs on this thread; zero if none does.
uint64_t ambient_current_task(void);

#endif
