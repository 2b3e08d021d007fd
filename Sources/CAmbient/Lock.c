#define _GNU_SOURCE
#include "CLock.h"

#ifdef __linux__

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Own.h"

// Pause instructions after the first load of the word, and after the last before the thread sleeps;
// their number doubles after each load. Some microseconds in all: longer than copying a line takes,
// shorter than a sleep and a wake-up.
//
// Each load takes the word's cache line from the holder's core, and each change of holders all
// cache lines that the lock guards. With a load after every pause, two threads take turns line by
// line, at 1.8 times the cost.
enum { FIRST_PAUSES = 8, LAST_PAUSES = 64 };

static inline void pause_for_a_moment(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

// Preserves errno, which belongs to the caller's last failure.
static long futex(uint32_t *word, int operation, uint32_t value) {
  const int kept = errno;
  const long result = syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
  errno = kept;
  return result;
}

// A futex of three states ("Futexes Are Tricky", U. Drepper, 2011, mutex 2), after a short spin.
//
// No hand-over: a thread that arrives while a sleeping one wakes up may take the lock first. With a
// hand-over, each release on a busy machine would wait for the scheduler, and the waiting threads
// would form a convoy.
OWN void ambient_lock_contended(uint32_t *word, uint32_t own) {
  for (int pauses = FIRST_PAUSES;; pauses *= 2) {
    uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    // Other threads sleep already: the lock is held for longer than a spin.
    if (seen == (own | AMBIENT_LOCK_AWAITED)) break;
    if (seen == 0 &&
        __atomic_compare_exchange_n(
            word, &seen, own | AMBIENT_LOCK_HELD, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return;
    if (pauses > LAST_PAUSES) break;
    for (int i = 0; i < pauses; i++) pause_for_a_moment();
  }
  const uint32_t awaited = own | AMBIENT_LOCK_AWAITED;
  for (;;) {
    const uint32_t before = __atomic_exchange_n(word, awaited, __ATOMIC_ACQUIRE);
    // Free, or held by a thread of the parent, which this fork does not have.
    if (before == 0 || (before & ~3u) != own) return;
    futex(word, FUTEX_WAIT_PRIVATE, awaited);
  }
}

OWN void ambient_lock_wake(uint32_t *word) { futex(word, FUTEX_WAKE_PRIVATE, 1); }

#endif
