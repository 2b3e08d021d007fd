#ifndef C_SPAWN_H
#define C_SPAWN_H

#include <spawn.h>

// What the C library has of posix_spawn beyond POSIX, which Swift's module of it does not show. Each
// returns zero, or an errno: ENOTSUP where the system has no such thing.

// The program starts in that folder.
int ambient_spawn_in(posix_spawn_file_actions_t *actions, const char *folder);

// The program has none of the files that are open here, from that number on, but those that an
// action before this one opens.
int ambient_spawn_closes(
    posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int first);

#endif
