// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CSpawn.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#ifdef __APPLE__
#include <TargetConditionals.h>
#endif

#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#define GLIBC_HAS(minor) __GLIBC_PREREQ(2, minor)
#else
#define GLIBC_HAS(minor) 0
#endif

int ambient_spawn_in(posix_spawn_file_actions_t *actions, const char *folder) {
#if (defined(__APPLE__) && !TARGET_OS_OSX) || (defined(__GLIBC__) && !GLIBC_HAS(29))
  (void)actions;
  (void)folder;
  return ENOTSUP;
#else
  return posix_spawn_file_actions_addchdir_np(actions, folder);
#endif
}

#if !defined(__APPLE__) && !GLIBC_HAS(34)
// Adds a close action for each descriptor that is open now, from `first` on. Replaces
// posix_spawn_file_actions_addclosefrom_np, which needs glibc 2.34.
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
#if defined(__APPLE__) && (TARGET_OS_TV || TARGET_OS_WATCH)
  (void)actions;
  (void)attributes;
  (void)first;
  return ENOTSUP;
#elif defined(__APPLE__)
  (void)actions;
  (void)first;
  short flags = 0;
  posix_spawnattr_getflags(attributes, &flags);
  return posix_spawnattr_setflags(attributes, flags | POSIX_SPAWN_CLOEXEC_DEFAULT);
#elif GLIBC_HAS(34)
  (void)attributes;
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
  (void)attributes;
  return close_open_files(actions, first);
#endif
}
