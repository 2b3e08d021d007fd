#pragma once

#include <stddef.h>
#include <stdint.h>

// Calls `body` with `value` in the register of the frame pointer, where C keeps data that is
// compiled without frame pointers, as most C libraries are.
void call_with_frame_register(uintptr_t value, void (*body)(void *context), void *context);

// Calls `body` with so many bytes more of the stack in use.
void call_deeper(size_t bytes, void (*body)(void));
