#define _GNU_SOURCE
#include "CSpawn.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

int ambient_spawn_in(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

#if !defined(__APPLE__) && !defined(__GLIBC__)
// Those that are open now, one by one.
static int close_open_files(posix_spawn_file_actions_t *actions, int first) {
  DIR *files = opendir("/proc/self/fd");
  if (!files) return errno;
  int failure = 0;
  const struct dirent *file;
  while (!failure && (file = readdir(files))) {
    int number = atoi(file->d_name);
    if (number >= first && number != dirfd(files))
      failure = posix_spawn_file_actions_addclose(actions, number);
  }
  closedir(files);
  return failure;
}
#endif

int ambient_spawn_closes(
    posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int first) {
#if defined(__APPLE__)
  (void)actions;
  (void)first;
  short flags = 0;
  posix_spawnattr_getflags(attributes, &flags);
  return posix_spawnattr_setflags(attributes, flags | POSIX_SPAWN_CLOEXEC_DEFAULT);
#elif defined(__GLIBC__)
  (void)attributes;
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
  (void)attributes;
  return close_open_files(actions, first);
#endif
}
