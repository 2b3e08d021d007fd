#define _GNU_SOURCE
#include "CAmbient.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <errno.h>
#include <pthread.h>

// What a frame pointer points to, on both architectures.
struct frame {
  uintptr_t caller, return_address;
};

// Leaves the bounds at zero if the system does not tell them, so that the next call asks again.
static void find_stack(struct ambient_thread *thread) {
  // The caller may be about to look at the failure of its own last call.
  const int kept = errno;
  pthread_attr_t attributes;
  const int failed = pthread_getattr_np(pthread_self(), &attributes);
  errno = kept;
  if (failed) return;
  void *low;
  size_t size;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
    thread->stack_low = (uintptr_t)low;
    thread->stack_end = (uintptr_t)low + size;
  }
  pthread_attr_destroy(&attributes);
}

// The address without the signature that some processors keep in its upper bits.
static uintptr_t plain(uintptr_t address) {
#ifdef __aarch64__
  return address & (((uintptr_t)1 << 48) - 1);
#else
  return address;
#endif
}

// The sanitizers are off, since a wrong frame pointer may lead to any word of the stack.
__attribute__((noinline, no_sanitize("address", "thread")))
ssize_t ambient_frames(uintptr_t *addresses, size_t capacity) {
  struct ambient_thread *thread = &ambient_thread;
  if (!thread->stack_end) find_stack(thread);
  const uintptr_t end = thread->stack_end;
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  if (frame < thread->stack_low || frame >= end) return -1;
  size_t count = 0;
  while (count < capacity) {
    // Valid: between this function's frame and the end of the stack, all of which is mapped.
    const struct frame *current = (const struct frame *)frame;
    const uintptr_t address = plain(current->return_address), caller = current->caller;
    if (!address) break;
    addresses[count++] = address;
    if (caller <= frame || caller % sizeof(uintptr_t) || caller > end - sizeof(*current)) break;
    frame = caller;
  }
  return (ssize_t)count;
}
#else
ssize_t ambient_frames(uintptr_t *addresses, size_t capacity) {
  (void)addresses, (void)capacity;
  return -1;
}
#endif
