#ifndef C_SALVAGE_H
#define C_SALVAGE_H

#include "CRing.h"

// Installs a handler for SIGBUS that puts memory in the place of a mapped ring whose file lost a page: by an
// error of the disk, another process that cut the file, or a full disk behind a file with holes.
//
// False where the system has no way to do that in a handler of signals; only Linux has.
_Bool ambient_salvage_install(void);

// Whether that handler would be called; true if it was never installed.
_Bool ambient_salvage_is_installed(void);

// Replaces the ring that the signal is about, by its siginfo_t; false if it is about no ring. Safe in a
// handler of signals. Without that type, so that Swift does not take the system's signals for this
// module's.
_Bool ambient_salvage(int signal, const void *info);

// Whether memory stands in the place of the ring's file.
static inline _Bool ambient_ring_is_lost(const struct ambient_mapping *mapping) {
  return __atomic_load_n(&mapping->lost, __ATOMIC_ACQUIRE) == AMBIENT_RING_REPLACED;
}

#endif
