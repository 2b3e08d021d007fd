// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CLock.h"

#ifdef __linux__

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "Visibility.h"

// Calls futex(2), for which the C library has no function; `limit` may be NULL. Does not change
// errno.
static long futex(uint32_t *word, int operation, uint32_t value, const struct timespec *limit) {
  const int kept = errno;
  const long result = syscall(SYS_futex, word, operation, value, limit, NULL, 0);
  errno = kept;
  return result;
}

// The numbers of pause instructions after the first load of the lock's word, and before the last
// load; the number doubles after each load. The whole spin takes some microseconds: longer than
// copying a line, shorter than a sleep and a wake-up.
//
// Each load takes the word's cache line from the holder's core, and each change of the holder moves
// all cache lines that the lock guards. If a thread loaded the word after every pause, two threads
// that log would hand the lock to each other after each line, and a line would cost 1.8 times as
// much.
enum { FIRST_PAUSES = 8, LAST_PAUSES = 64 };

static inline void pause_for_a_moment(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

// Times are in nanoseconds.
enum {
  // A thread naps (sleeps for a short time) after this number of collisions at one lock, each less
  // than COLLISION_GAP after the previous one. A collision is an attempt to take the lock while
  // another thread holds it. On two processors, a collision takes about 500 ns. Two threads that
  // each log once every microsecond do not collide often enough to nap.
  COLLISIONS = 8,
  COLLISION_GAP = 2000,
  // The durations of the first nap and of the longest one. The system adds about 50,000 to each
  // nap. The duration doubles with each nap of a thread, up to LONGEST_NAP. It starts again at
  // FIRST_NAP if the thread has no collision for more than twice the duration of its next nap.
  //
  // While a thread naps for 4 ms, the others log 16,000 lines. When eight threads log at full rate,
  // fewer than one in 1,000 calls leads to a nap; with naps of at most 2 ms, one in 1,000 did.
  // Longer naps gain nothing more, and 4 ms is about the time that the scheduler of a busy machine
  // takes from a thread anyway.
  FIRST_NAP = 20000,
  LONGEST_NAP = 4000000
};

static int64_t monotonic_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Suspends a thread that collides with others at nearly each of its calls, so that the threads
// alternate after thousands of calls, and not after each call.
//
// If they alternated after each call, all cache lines that the lock guards would move to another
// core each time. On two processors, two threads would need 1.4 times the wall time and 2 times the
// processor time; eight threads would need 1.5 times the wall time and 2.2 times the processor
// time. A nap that ends while another thread still uses the lock costs a few collisions.
static void nap_after_collisions(const uint32_t *word) {
  static _Thread_local struct {
    const uint32_t *word;
    int64_t latest, nap;
    int count;
  } collisions;
  const int64_t now = monotonic_time();
  const int64_t gap = now - collisions.latest;
  const _Bool goes_on = gap < COLLISION_GAP && collisions.word == word;
  collisions.latest = now;
  collisions.word = word;
  collisions.count = goes_on ? collisions.count + 1 : 0;
  if (gap > 2 * collisions.nap) collisions.nap = FIRST_NAP;
  if (collisions.count < COLLISIONS) return;
  collisions.count = 0;
  // Sleeps by a futex wait on a word that no thread changes. Unlike nanosleep(2), a futex wait is
  // not a cancellation point of pthread_cancel(3), and the lock needs this system call anyway.
  uint32_t none = 0;
  const struct timespec nap = {.tv_nsec = collisions.nap};
  futex(&none, FUTEX_WAIT_PRIVATE, 0, &nap);
  collisions.nap = collisions.nap < LONGEST_NAP / 2 ? collisions.nap * 2 : LONGEST_NAP;
  collisions.latest = monotonic_time();
}

// Takes a lock that another thread holds: spins for a short time, then waits on a futex of three
// states ("Futexes Are Tricky", U. Drepper, 2011, mutex 2).
//
// The lock is not handed over: a thread that arrives while a sleeping thread wakes up may take the
// lock first. With a hand-over, each release on a busy machine would wait for the scheduler, and
// the waiting threads would form a convoy.
OWN void ambient_lock_contended(uint32_t *word, uint32_t own) {
  nap_after_collisions(word);
  for (int pauses = FIRST_PAUSES;; pauses *= 2) {
    uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    // If other threads already sleep until the lock is free, this thread sleeps, too: the lock has
    // been held for longer than a thread spins.
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
    // This thread now holds the lock. The lock was free, or was held by a thread of the parent; the
    // parent's threads do not exist in this fork.
    if (before == 0 || (before & ~3u) != own) return;
    futex(word, FUTEX_WAIT_PRIVATE, awaited, NULL);
  }
}

OWN void ambient_lock_wake(uint32_t *word) { futex(word, FUTEX_WAKE_PRIVATE, 1, NULL); }

#endif
