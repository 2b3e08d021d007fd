#ifndef C_FRAMES_H
#define C_FRAMES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Writes the return addresses of the calls on this thread's stack, the innermost first, and returns
// how many there are. Negative if the thread runs on another stack (a signal's alternative one, a
// coroutine's), if its bounds cannot be learnt, or if frames are not known on this system.
//
// Frames are followed by their saved frame pointers. C that is compiled without them keeps data in
// that register, so a frame counts only if it is aligned, within the bounds of the stack and above
// the one before. Costs some 10 ns, and what pthread_getattr_np(3) does (a file is read
// for the main thread's bounds) at a thread's first call, at one from 1 MiB deeper than any before it,
// and at each from another stack.
ssize_t ambient_frames(uintptr_t *addresses, size_t capacity);

#ifdef __linux__
// Where the program's own file is in memory: the difference of its addresses from those in the
// file, and its code, from start to end.
struct ambient_program {
  uintptr_t base, start, end;
};

// Reads no memory but the loader's.
struct ambient_program ambient_program(void);
#endif

#endif
