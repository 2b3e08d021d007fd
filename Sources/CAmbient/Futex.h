#ifndef C_FUTEX_H
#define C_FUTEX_H

#ifdef __linux__

#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Calls futex(2), for which the C library has no function; `limit` may be NULL. Does not change
// errno.
static inline long futex(
    uint32_t *word, int operation, uint32_t value, const struct timespec *limit) {
  const int kept = errno;
  const long result = syscall(SYS_futex, word, operation, value, limit, NULL, 0);
  errno = kept;
  return result;
}

#endif

#endif
