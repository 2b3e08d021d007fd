// SPDX-License-Identifier: Apache-2.0

#ifndef C_LOST_PAGES_H
#define C_LOST_PAGES_H

#include "CPlatform.h"

#include "CRing.h"

// Installs a SIGBUS handler that replaces a mapped ring with memory when a page of the ring's file
// is lost. A page is lost if the disk fails, if another process truncates the file, or if the disk
// has no space for a page that the sparse file does not have yet.
//
// Returns false if the handler cannot be installed: only Linux can replace a mapping in a signal
// handler.
_Bool ambient_lost_pages_install(void);

// Returns false only if ambient_lost_pages_install has installed its handler, and a handler that
// replaces no pages has since replaced it for SIGBUS.
_Bool ambient_lost_pages_is_installed(void);

// Replaces the ring that contains the faulting address. Returns false if no ring contains the
// address, or if the ring cannot be replaced. Async-signal-safe.
//
// `info` points to a siginfo_t, but is untyped: if this header included <signal.h>, Swift would
// attribute the system's declarations of signals to this module.
_Bool ambient_lost_pages_replace(int signal, const void *info);

// True if memory has replaced the pages of the ring's file.
static inline _Bool ambient_ring_is_lost(const struct ambient_mapping *mapping) {
  return __atomic_load_n(&mapping->lost, __ATOMIC_ACQUIRE) == AMBIENT_RING_REPLACED;
}

#endif
