#define _GNU_SOURCE
#include "CLock.h"

#ifdef __linux__

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Own.h"

// How many pauses there are between the first two looks at the word, and the last two before the
// thread sleeps, each time twice as many: some microseconds in all, longer than a copy of a line
// takes, and shorter than a sleep and a wake-up.
//
// The holder's cache loses the word by each look, and all that the lock guards by each change of
// holders. With a look at every pause two threads take turns line by line, at 1.8 times the cost.
enum { FIRST_PAUSES = 8, LAST_PAUSES = 64 };

static inline void pause_for_a_moment(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

// A system call changes errno, which belongs to the caller's own last failure.
static long futex(uint32_t *word, int operation, uint32_t value) {
  const int kept = errno;
  const long result = syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
  errno = kept;
  return result;
}

// Three states on a futex ("Futexes Are Tricky", U. Drepper, 2011, mutex 2), after a short spin.
//
// No hand-over: a thread that comes while another is being woken takes the lock. With a hand-over
// each release on a busy machine would wait for the scheduler, and the waiting threads form a convoy.
OWN void ambient_lock_contended(uint32_t *word, uint32_t own) {
  for (int pauses = FIRST_PAUSES; pauses <= LAST_PAUSES; pauses *= 2) {
    uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    // Others sleep already, so the lock is held for longer than a spin.
    if (seen == (own | AMBIENT_LOCK_AWAITED)) break;
    if (seen == 0 &&
        __atomic_compare_exchange_n(
            word, &seen, own | AMBIENT_LOCK_HELD, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return;
    for (int i = 0; i < pauses; i++) pause_for_a_moment();
  }
  const uint32_t awaited = own | AMBIENT_LOCK_AWAITED;
  for (;;) {
    const uint32_t before = __atomic_exchange_n(word, awaited, __ATOMIC_ACQUIRE);
    // Free, or taken by a thread that a fork left behind.
    if (before == 0 || (before & ~3u) != own) return;
    futex(word, FUTEX_WAIT_PRIVATE, awaited);
  }
}

OWN void ambient_lock_wake(uint32_t *word) { futex(word, FUTEX_WAKE_PRIVATE, 1); }

#endif
