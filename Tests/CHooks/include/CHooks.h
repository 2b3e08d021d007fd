// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdbool.h>
#include <stdint.h>

// Puts a hook before the pool's, as another library for tests does, which hands all jobs to the hook
// that it found (chained), or straight to the pool. There are nine, 0 to 8.
void install_foreign_hook(int number, int chained);

// Puts back the hook that it found, as a library does that removes its own.
void restore_foreign_hook(int number);

// How many jobs it has seen.
long foreign_hook_jobs(int number);

// Whether a hook is set, and away with it, as its owner does.
bool enqueue_hook_is_set(void);
void clear_enqueue_hook(void);

// What swift-concurrency-extras' uses: a hook that hands all jobs to the main actor, or none.
void set_main_serial_executor(bool uses);

// Sets a hook of the main executor, which asks for the one that is there, or takes any away.
void set_main_executor_hook(bool is_set);

// The seconds of the system's clock since 1970, as code in C reads them.
int64_t seconds_in_c(void);
