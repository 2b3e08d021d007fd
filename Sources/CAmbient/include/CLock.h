#ifndef C_LOCK_H
#define C_LOCK_H

#ifdef __linux__

#include <stdint.h>

#include "CRing.h"

// A lock of one word: zero is free; else the two lowest bits are AMBIENT_LOCK_HELD or
// AMBIENT_LOCK_AWAITED, and the others the number of forks of the process that took it.
//
// A fork has one thread, so a lock with another number of forks belongs to a thread that does not
// exist here, and counts as free.
enum { AMBIENT_LOCK_HELD = 1, AMBIENT_LOCK_AWAITED = 2 };

// Takes a lock that the fast path found taken; returns when this thread has it.
void ambient_lock_contended(uint32_t *word, uint32_t own);

// Wakes one thread that waits for the word.
void ambient_lock_wake(uint32_t *word);

// Takes the lock. In the header, so that callers have the uncontended case without a call, and the
// thread sanitizer sees who waited for whom: it instruments this with its caller.
static inline void ambient_lock_take(uint32_t *word) {
  const uint32_t own = ambient_forks() << 2;
  uint32_t none = 0;
  if (__atomic_compare_exchange_n(
          word, &none, own | AMBIENT_LOCK_HELD, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  ambient_lock_contended(word, own);
}

static inline void ambient_lock_give_back(uint32_t *word) {
  const uint32_t before = __atomic_exchange_n(word, 0, __ATOMIC_RELEASE);
  if (before & AMBIENT_LOCK_AWAITED) ambient_lock_wake(word);
}

#endif
#endif
