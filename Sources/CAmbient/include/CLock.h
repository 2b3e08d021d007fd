// SPDX-License-Identifier: Apache-2.0

#ifndef C_LOCK_H
#define C_LOCK_H

#include "CPlatform.h"

#ifdef __linux__

#include <stdint.h>

#include "CRing.h"

// A lock of one word. The word is zero if the lock is free. Otherwise, the two lowest bits are
// AMBIENT_LOCK_HELD, or AMBIENT_LOCK_AWAITED if other threads may sleep on the word. The other bits
// are the value of ambient_forks() in the process that took the lock.
//
// A forked process begins with one thread. If a word contains another fork count, a thread of the
// parent took the lock. That thread does not exist in this process, so the lock counts as free.
enum { AMBIENT_LOCK_HELD = 1, AMBIENT_LOCK_AWAITED = 2 };

// The slow path of ambient_lock_take: blocks until this thread holds the lock.
void ambient_lock_contended(uint32_t *word, uint32_t own);

// Wakes one thread that sleeps on the word.
void ambient_lock_wake(uint32_t *word);

// Takes the lock. The function is inline, so that the fast path needs no call, and so that the
// thread sanitizer instruments it as part of its caller and sees which release an acquire follows.
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
