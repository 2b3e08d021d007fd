// SPDX-License-Identifier: Apache-2.0

#ifndef C_CALL_STACK_H
#define C_CALL_STACK_H

#include "CPlatform.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Writes the return addresses of the calls on this thread's stack, the innermost first, and returns
// their number, `capacity` at most. Returns a negative number if the thread runs on another stack
// (a signal's alternate stack, a coroutine's), or if the bounds of its stack, or the layout of
// frames on this system, are unknown.
//
// Walks the chain of saved frame pointers. C compiled without frame pointers keeps other data in
// the frame pointer's register, so the walk accepts a frame only if it is aligned, within the
// bounds of the stack, and at a higher address than the frame that points to it. Costs some 10 ns.
//
// A call costs more if it must ask pthread_getattr_np(3) for the bounds of the stack; for the main
// thread, that function reads a file. The bounds are asked for in a thread's first call, in a call
// from more than 1 MiB deeper in the stack than the call that last asked for them, and in each call
// from another stack.
ssize_t ambient_frames(uintptr_t *addresses, size_t capacity);

#ifdef __linux__
// A function of the Swift runtime: writes the demangled form of a name, with the modules of all types,
// to `output`, cut at its capacity; returns null if the name isn't mangled.
char *swift_demangle(const char *name, size_t length, char *output, size_t *capacity, uint32_t flags);

// An image that the loader has mapped: the program's executable, whose path is empty, or a library.
// `base` is the difference between an address in memory and the corresponding address in the file.
// The image begins at `start`, and its code ends before `end`.
struct ambient_image {
  const char *path;
  uintptr_t base, start, end;
};

typedef void ambient_image_visitor(const struct ambient_image *image, void *context);

// Calls the visitor for each image, the executable first. Calls dl_iterate_phdr(3), which reads
// only data that the loader has in memory, and under whose lock no image is unmapped.
void ambient_images(ambient_image_visitor *visitor, void *context);
#endif

#endif
