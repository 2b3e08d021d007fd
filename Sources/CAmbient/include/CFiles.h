#ifndef C_FILES_H
#define C_FILES_H

#include "CPlatform.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

// Renames a file like rename(2), but replaces nothing: fails with EEXIST if `other` exists, even if
// another process creates it during the call. Where the file system has neither an exclusive rename
// nor hard links, a file that another process creates during the call may be replaced.
int ambient_rename_new(const char *path, const char *other);

// Waits until the bytes written to the file are on the disk. Returns zero, or -1 with errno.
int ambient_synchronize(int descriptor);

// Synchronizes the file by calling `full`. If that fails because the file system does not support
// it, calls `usual` instead. Returns zero, or -1 with errno, as both functions do. Used only on
// Apple's systems; declared in this header so that tests can also call it on Linux.
int ambient_synchronize_by(int (*full)(int), int (*usual)(int), int descriptor);

// Reserves disk space for the file's first `count` bytes, and lengthens a shorter file to that
// size. Returns zero, or -1 with errno.
int ambient_allocate(int descriptor, int64_t count);

// Calls `take` to reserve the disk space that the file lacks: in one piece or, if that fails, in
// parts. Lengthens a shorter file to `count` bytes. Used only on Apple's systems; declared in this
// header so that tests can also call it on Linux.
int ambient_allocate_by(
    int (*take)(int descriptor, _Bool gapless, int64_t more), int descriptor, int64_t count);

// Calls write(2). On Linux, makes a bare system call: the C library's function is a cancellation
// point, which would make writing each log line slower. Tools that interpose on the C library do
// not see the bare call.
static inline ssize_t ambient_write(int descriptor, const void *bytes, size_t count) {
#ifdef __linux__
  return syscall(SYS_write, (long)descriptor, bytes, count);
#else
  return write(descriptor, bytes, count);
#endif
}

// Writes without blocking. Fails with EAGAIN where write(2) would wait, and may write fewer bytes.
// On Linux, fails with EOPNOTSUPP or ENOSYS if the kernel has no nonblocking write to the file.
ssize_t ambient_write_prompt(int descriptor, const void *bytes, size_t count);

// Writes without blocking: calls poll(2), then write(2). On systems without pwritev2(2),
// ambient_write_prompt calls this function. Declared in this header so that tests can also call it
// on Linux.
ssize_t ambient_write_polled(int descriptor, const void *bytes, size_t count);

#endif
