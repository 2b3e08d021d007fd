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
// the one before. Costs some 10 ns, and once for each thread what pthread_getattr_np(3) does: a file
// is read for the main thread's bounds.
ssize_t ambient_frames(uintptr_t *addresses, size_t capacity);

#endif
