// SPDX-License-Identifier: Apache-2.0

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

// close(2) and rename(2), under names that no Swift function or method hides.
static inline int ambient_close(int descriptor) { return close(descriptor); }
int ambient_rename(const char *path, const char *other);

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

// Writes to a pipe, a socket or a terminal without blocking. Fails with EAGAIN where write(2) would
// wait, and may write fewer bytes.
ssize_t ambient_write_prompt(int descriptor, const void *bytes, size_t count);

// Writes without blocking: calls poll(2), then write(2). Used where the system has no nonblocking
// write to a blocking descriptor. Declared in this header so that tests can call it everywhere.
ssize_t ambient_write_polled(int descriptor, const void *bytes, size_t count);

// Moves a new descriptor to a free number that is at least `least`, with close-on-exec, and returns
// the number; returns a number of at least 3 if none is free from `least` on. If the number is below
// 3 and no other is free, closes it, and returns -1 with errno.
//
// The numbers 0, 1 and 2 are a program's standard streams, even while they are closed.
int ambient_moved(int descriptor, int least);

// The least number for a descriptor of this package: 512, or half the limit of descriptors if that
// is lower. The system gives the lowest free number to a program's own files, so they rarely reach
// these numbers.
int ambient_least_kept(void);

// The least number for a descriptor that is open during a call, or that holds a lock, and for one of
// a log, a queue or a stream. If the limit of descriptors allows it, the number differs from those
// of the last 64 or 256 calls: if other code closes a descriptor, no other file gets its number
// before its owner notices that.
int ambient_least_brief(void);
int ambient_least_lasting(void);

// The size of the file to which the descriptor leads, if it has this device and inode; otherwise
// -1. Async-signal-safe.
int64_t ambient_size_if(int descriptor, uint64_t device, uint64_t file);

#endif
