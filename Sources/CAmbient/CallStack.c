// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CAmbient.h"

#ifdef __linux__
#include <link.h>

struct visit {
  ambient_image_visitor *visitor;
  void *context;
};

static int visit_image(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  const struct visit *visit = context;
  struct ambient_image image = {info->dlpi_name, info->dlpi_addr, UINTPTR_MAX, 0};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD) continue;
    const uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (start < image.start) image.start = start;
    if (part->p_flags & PF_X) image.end = start + part->p_memsz;
  }
  if (image.start < image.end) visit->visitor(&image, visit->context);
  return 0;
}

void ambient_images(ambient_image_visitor *visitor, void *context) {
  struct visit visit = {visitor, context};
  dl_iterate_phdr(visit_image, &visit);
}
#endif

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <errno.h>
#include <pthread.h>

// The frame record that a frame pointer points to, on both architectures.
struct frame {
  uintptr_t caller, return_address;
};

// The gap that Linux keeps between a growing stack and other memory (stack_guard_gap): 256 pages.
// The value is for pages of the smallest size, 4 KiB.
static const uintptr_t guard_gap = (uintptr_t)1 << 20;

// Asks the system for the bounds of the thread's stack. Caches the bounds if the frame is within
// them.
//
// The main thread's stack grows downwards as far as a limit, which may change. Without a limit, it
// grows as far as the next mapping, which may be a different mapping at the next call. So the
// cached lower bound is at most the guard gap below the frame: no other mapping can ever be there.
static void find_stack(struct ambient_thread *thread, uintptr_t frame) {
  // Preserves errno, which belongs to the caller's last failure.
  const int kept = errno;
  pthread_attr_t attributes;
  const int failed = pthread_getattr_np(pthread_self(), &attributes);
  errno = kept;
  if (failed) return;
  void *low;
  size_t size;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0 && frame - (uintptr_t)low < size) {
    const uintptr_t near = frame > guard_gap ? frame - guard_gap : 0;
    thread->stack_low = near > (uintptr_t)low ? near : (uintptr_t)low;
    thread->stack_end = (uintptr_t)low + size;
  }
  pthread_attr_destroy(&attributes);
}

static _Bool is_within(const struct ambient_thread *thread, uintptr_t frame) {
  return frame >= thread->stack_low && frame < thread->stack_end;
}

// The address without the pointer authentication code that some processors keep in its upper bits.
static uintptr_t plain(uintptr_t address) {
#ifdef __aarch64__
  return address & (((uintptr_t)1 << 48) - 1);
#else
  return address;
#endif
}

// The function is compiled without sanitizers, because a frame pointer that is wrong may point to
// any word of the stack, and a sanitizer would report the read of that word.
__attribute__((noinline, no_sanitize("address", "thread")))
ssize_t ambient_frames(uintptr_t *addresses, size_t capacity) {
  struct ambient_thread *thread = &ambient_thread;
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  // The stack may extend below the cached bounds: asks the system again.
  if (!is_within(thread, frame)) find_stack(thread, frame);
  if (!is_within(thread, frame)) return -1;
  const uintptr_t end = thread->stack_end;
  size_t count = 0;
  while (count < capacity) {
    // Valid: from this function's frame up to the end of the stack, all memory is mapped.
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
