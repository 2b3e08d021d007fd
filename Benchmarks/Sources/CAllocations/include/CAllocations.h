// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <stdbool.h>

/// Whether this platform lets a program count its own allocations.
bool allocations_can_be_counted(void);

/// Starts or ends the count. While it is off, an allocation costs one load more than usual.
void allocations_count(bool on);

/// How many blocks were allocated, by any thread, while the count was on.
unsigned long allocations_counted(void);
