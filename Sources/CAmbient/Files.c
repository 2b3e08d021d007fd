#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

#ifdef __ELF__
#define OWN __attribute__((visibility("protected")))
#else
#define OWN
#endif

// Fails with EINVAL, ENOSYS or ENOTSUP where the system or the file system has no such call.
static int rename_exclusively(const char *path, const char *other) {
#ifdef __APPLE__
  return renamex_np(path, other, RENAME_EXCL);
#elif defined(SYS_renameat2)
  const unsigned no_replace = 1;
  return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, no_replace);
#else
  errno = ENOSYS;
  return -1;
#endif
}

OWN int ambient_rename_new(const char *path, const char *other) {
  if (rename_exclusively(path, other) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return -1;
  // A second name cannot be that of another file either.
  if (link(path, other) == 0) return unlink(path);
  if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS) return -1;
  // A file system without links has only the look.
  struct stat status;
  if (lstat(other, &status) == 0) {
    errno = EEXIST;
    return -1;
  }
  return rename(path, other);
}
