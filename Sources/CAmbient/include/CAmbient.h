// SPDX-License-Identifier: Apache-2.0

#ifndef C_AMBIENT_H
#define C_AMBIENT_H

// This header is included first, so that a compilation for an unsupported platform fails with the
// message of this header.
#include "CPlatform.h"

#include <stddef.h>
#include <stdint.h>

#include "CCallStack.h"
#include "CFiles.h"
#include "CLock.h"
#include "CLostPages.h"
#include "CRingFrames.h"
#include "CRingQueue.h"
#include "CSignals.h"
#include "CSpawn.h"

// The gate of Log: the lowest level that any log accepts. It is in C, because other modules reach a
// Swift global through a call, and the gate must cost no more than one load.
extern uint8_t ambient_log_gate;

static inline uint8_t ambient_log_gate_load(void) {
  return __atomic_load_n(&ambient_log_gate, __ATOMIC_RELAXED);
}

static inline void ambient_log_gate_store(uint8_t lowest) {
  __atomic_store_n(&ambient_log_gate, lowest, __ATOMIC_RELAXED);
}

// The thread-local state of this module. It is in C, because Swift has no thread-local variables,
// and pthread_getspecific(3) costs many times as much as one load.
struct ambient_thread {
  // Nesting depth of this thread's calls of each service: one counter per RecursionLimit.Service.
  uint8_t depths[2];
  // The thread's ThreadMemory (Swift), which a pthread key retains; null if there is none.
  void *kept;
  // The innermost DefaultsInMaking (Swift), which is in a frame of this thread's stack; null if
  // there is none.
  const void *making;
  // Bounds within which all memory is the thread's own stack; zero until ambient_frames sets them.
  uintptr_t stack_low, stack_end;
  // True while tasks that this thread starts belong to no scope of virtual time, even if the thread
  // is running a scope's jobs.
  _Bool is_outside;
};

extern _Thread_local struct ambient_thread ambient_thread;

static inline uint8_t ambient_depth_load(size_t service) {
  return ambient_thread.depths[service];
}

static inline void ambient_depth_store(size_t service, uint8_t depth) {
  ambient_thread.depths[service] = depth;
}

static inline void *ambient_kept_load(void) { return ambient_thread.kept; }

static inline void ambient_kept_store(void *kept) { ambient_thread.kept = kept; }

static inline _Bool ambient_outside_load(void) { return ambient_thread.is_outside; }

static inline void ambient_outside_store(_Bool outside) { ambient_thread.is_outside = outside; }

// Set in a fork of a process that called ambient_watch_forks, until ambient_take_fork clears it.
extern uint8_t ambient_forked;

static inline _Bool ambient_is_forked(void) {
  return __atomic_load_n(&ambient_forked, __ATOMIC_RELAXED);
}

// Clears ambient_forked. Returns true to the one caller that found it set. Thread-safe.
_Bool ambient_take_fork(void);

// Installs a pthread_atfork(3) handler that, in a fork, sets ambient_forked, adds one to
// ambient_fork_count, marks the parent's rings as unmapped, and closes the inherited descriptors of
// locked files. Called once.
void ambient_watch_forks(void);

// True if the program has more rights than the user who started it, as a setuid program has. In
// that case, secure_getenv(3) returns null.
_Bool ambient_is_privileged(void);

// True if an image (the program, or a dynamic library) that was loaded before the caller's image
// has another copy of this module. Writes the paths of both images; an empty path stands for the
// program. A path, including its terminating zero, is cut to `size` bytes. False if the answer is
// unknown: on Apple's systems, and if the caller's ELF note `copy_note` (SecondCopy.c) was
// stripped.
_Bool ambient_find_earlier_copy(char *earlier, char *own, size_t size);

// The calling thread, as a number that is unique among living threads.
uintptr_t ambient_current_thread(void);

// On Linux, lowers the priority of this thread, and of the threads and processes that it starts
// later. Linux gives each thread a priority of its own; other systems do not.
void ambient_yield_to_others(void);

// Calls `body` with `context` on a new detached thread, which ends when `body` returns. Returns
// false if there is no memory or no thread left.
_Bool ambient_start_thread(void (*body)(void *context), void *context);

static inline const void *ambient_making_load(void) { return ambient_thread.making; }

static inline void ambient_making_store(const void *making) { ambient_thread.making = making; }

#endif
