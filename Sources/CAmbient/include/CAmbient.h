#ifndef C_AMBIENT_H
#define C_AMBIENT_H

// First: what is refused is refused by name.
#include "CPlatform.h"

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "CFiles.h"
#include "CFrames.h"
#include "CLines.h"
#include "CLock.h"
#include "CRecords.h"
#include "CSalvage.h"
#include "CSpawn.h"

#ifdef __linux__
#include <sys/syscall.h>
#endif

// The gate of Log: the lowest level that anybody accepts. In C, because a caller in another module
// reaches a Swift global by a call, and this one must cost no more than the load itself.
extern uint8_t ambient_log_gate;

static inline uint8_t ambient_log_gate_load(void) {
  return __atomic_load_n(&ambient_log_gate, __ATOMIC_RELAXED);
}

static inline void ambient_log_gate_store(uint8_t lowest) {
  __atomic_store_n(&ambient_log_gate, lowest, __ATOMIC_RELAXED);
}

// What a thread has for itself. In C, because Swift has no such variables, and the C library's keys
// cost many times as much as one load.
struct ambient_thread {
  // How deep the thread is in calls of each service: as many as RecursionLimit.Service has cases.
  uint8_t depths[2];
  // The thread's own object of Swift's, or null.
  void *kept;
  // The innermost default that is being made, or null.
  const void *making;
  // Between these, all memory is the thread's own stack; zero until ambient_frames has asked.
  uintptr_t stack_low, stack_end;
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

// Whether this process is a fork of one that had asked to know, and nobody took note of it yet.
extern uint8_t ambient_forked;

static inline _Bool ambient_is_forked(void) {
  return __atomic_load_n(&ambient_forked, __ATOMIC_RELAXED);
}

// Takes note: true for the one caller that finds it so.
_Bool ambient_take_fork(void);

// Sees to it that forks of this process know that they are.
void ambient_watch_forks(void);

// Whether the program has more rights than its caller, as a setuid one: where secure_getenv(3) finds
// nothing.
_Bool ambient_is_privileged(void);

// Whether another copy of this stands in an image that was loaded before the one that asks: the
// program, or a dynamic library. Writes the paths of both, cut to `size` with their end; an empty
// one is the program. Always false where it cannot be known.
_Bool ambient_find_earlier_copy(char *earlier, char *own, size_t size);

// Calls `body` with `context` on a thread that ends with it; false if there can be none.
_Bool ambient_start_thread(void (*body)(void *context), void *context);

static inline const void *ambient_making_load(void) { return ambient_thread.making; }

static inline void ambient_making_store(const void *making) { ambient_thread.making = making; }

// write(2), without what the C library does around it for threads that may be cancelled: some of the
// cost of a line. Tools that stand between a program and its C library do not see it.
static inline ssize_t ambient_write(int descriptor, const void *bytes, size_t count) {
#ifdef __linux__
  return syscall(SYS_write, (long)descriptor, bytes, count);
#else
  return write(descriptor, bytes, count);
#endif
}

// The same, but it fails with EAGAIN where it would wait, and may write less than all; with
// EOPNOTSUPP or ENOSYS where Linux cannot do that.
ssize_t ambient_write_prompt(int descriptor, const void *bytes, size_t count);

// That, by calls that each system has. In a header, so that tests on Linux reach it.
ssize_t ambient_write_polled(int descriptor, const void *bytes, size_t count);

#endif
