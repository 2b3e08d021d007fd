#ifndef C_FILES_H
#define C_FILES_H

#include "CPlatform.h"

#include <stdint.h>

// rename(2) that replaces nothing: fails with EEXIST if `other` exists, even if created just
// now. On a file system with neither an exclusive rename nor hard links, that race remains.
int ambient_rename_new(const char *path, const char *other);

// Waits until the bytes written to the file are on the disk; zero, or -1 with errno.
int ambient_synchronize(int descriptor);

// Calls `full`, or `usual` if the file system does not support `full`. Declared here so that tests
// on Linux reach it.
int ambient_synchronize_by(int (*full)(int), int (*usual)(int), int descriptor);

// Reserves disk space for the file's first `count` bytes, and lengthens a shorter file to that
// size. Returns zero, or -1 with errno.
int ambient_allocate(int descriptor, int64_t count);

// Calls `take` to reserve the disk space that the file lacks, in one piece or else in parts, and
// lengthens a shorter file to `count` bytes. Declared here so that tests on Linux reach it.
int ambient_allocate_by(
    int (*take)(int descriptor, _Bool gapless, int64_t more), int descriptor, int64_t count);

#endif
