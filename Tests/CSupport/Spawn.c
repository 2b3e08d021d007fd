#define _GNU_SOURCE
#include "CSupport.h"

int support_spawn_in(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int support_spawn_closes(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes) {
#ifdef __APPLE__
  short flags = 0;
  posix_spawnattr_getflags(attributes, &flags);
  return posix_spawnattr_setflags(attributes, flags | POSIX_SPAWN_CLOEXEC_DEFAULT);
#else
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
}
