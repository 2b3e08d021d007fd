#ifndef C_SALVAGE_H
#define C_SALVAGE_H

#include "CPlatform.h"

#include "CRing.h"

// Installs a SIGBUS handler that replaces a mapped ring with memory if its file lost a page: by an
// error of the disk, by another process that cut the file, or by a full disk behind a sparse file.
//
// False if the handler cannot be installed: only Linux can replace a mapping in a signal handler.
_Bool ambient_salvage_install(void);

// True if that handler is still the one set for SIGBUS, or was never installed.
_Bool ambient_salvage_is_installed(void);

// Replaces the ring in which the faulting address lies; false if it lies in none, or if the ring
// cannot be replaced. Async-signal-safe. `info` is a siginfo_t, untyped: with <signal.h> included
// here, Swift would take the system's signals for this module's.
_Bool ambient_salvage(int signal, const void *info);

// True if memory has replaced the pages of the ring's file.
static inline _Bool ambient_ring_is_lost(const struct ambient_mapping *mapping) {
  return __atomic_load_n(&mapping->lost, __ATOMIC_ACQUIRE) == AMBIENT_RING_REPLACED;
}

#endif
