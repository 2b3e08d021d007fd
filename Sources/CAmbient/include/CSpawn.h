// SPDX-License-Identifier: Apache-2.0

#ifndef C_SPAWN_H
#define C_SPAWN_H

#include "CPlatform.h"

#include <spawn.h>

// The C library's extensions of posix_spawn(3) that Swift's module of the C library does not
// export. Each function returns zero or an errno. The errno is ENOTSUP where the system has no such
// extension.

// Makes the program start in `folder`.
int ambient_spawn_in(posix_spawn_file_actions_t *actions, const char *folder);

// Closes the descriptor `first` and all higher ones in the program. Call this function after adding
// the actions that open the program's own files. Their descriptors must be below `first`. Apple's
// systems also close each descriptor below `first` that no action opens.
int ambient_spawn_closes(
    posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int first);

#endif
