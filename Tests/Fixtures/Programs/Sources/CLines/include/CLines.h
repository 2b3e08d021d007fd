#pragma once

#include <stdint.h>

// Calls `body` with `value` in the register of the frame pointer, where C keeps data that is
// compiled without frame pointers, as most C libraries are.
void call_with_frame_register(uintptr_t value, void (*body)(void *context), void *context);
