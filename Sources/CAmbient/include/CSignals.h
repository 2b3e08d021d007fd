// SPDX-License-Identifier: Apache-2.0

#ifndef C_SIGNALS_H
#define C_SIGNALS_H

#include "CPlatform.h"

// Returns whether the signal was raised by an instruction that failed, and that will fail again
// when the handler returns. `code` is the code in the signal's siginfo_t, and `user` is the
// system's SI_USER. A signal from kill(2) has a code of zero or less on Linux, and a code of
// SI_USER (0x10001) or more on Apple's systems. The code alone does not suffice, because a signal
// from a terminal, such as SIGINT, may have the code of a fault. So the function returns false for
// all signals except SIGSEGV, SIGBUS, SIGILL and SIGFPE.
_Bool ambient_fails_again(int signal, int code, int user);

// Writes the lines of all rings to their files, except of those that another thread drains. Takes no
// lock, and is async-signal-safe.
void ambient_drain_rings(void);

// Installs a handler that does nothing, unless the program has set an action for the signal. So a
// write that raises the signal returns an error.
void ambient_survive(int signal);

// Installs a handler that, on `signal`, drains all rings of lines by writev(2), and passes the
// signal on to the action that was set before. Returns true without an effect if the signal is
// ignored, or if this function has installed the handler for it before. Returns false and sets
// errno if the handler cannot be installed.
_Bool ambient_drain_at(int signal);

// Whether the signal's action is the handler that `ambient_drain_at` installs.
_Bool ambient_drains_at(int signal);

#endif
