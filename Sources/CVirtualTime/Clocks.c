// SPDX-License-Identifier: Apache-2.0

#include <stddef.h>

#include "CVirtualTime.h"

static ambient_clock_reader reader = NULL;
int64_t ambient_clocks_scopes = 0;

// Set while this thread reads a clock for a scope, or tests its clocks.
static _Thread_local bool is_reading = false;
static _Thread_local bool is_probing = false;

void ambient_clocks_connect(ambient_clock_reader function) {
  __atomic_store_n(&reader, function, __ATOMIC_RELEASE);
}

void ambient_clocks_count(int64_t change) {
  __atomic_add_fetch(&ambient_clocks_scopes, change, __ATOMIC_ACQ_REL);
}

bool ambient_clocks_read(enum ambient_clock clock, int64_t *seconds, int64_t *nanoseconds) {
  if (is_reading) return false;
  if (is_probing) {
    *seconds = ambient_clocks_probe_seconds;
    *nanoseconds = 0;
    return true;
  }
  const ambient_clock_reader read = __atomic_load_n(&reader, __ATOMIC_ACQUIRE);
  if (!read) return false;
  is_reading = true;
  const bool is_shown = read(clock, seconds, nanoseconds);
  is_reading = false;
  return is_shown;
}

void ambient_clocks_probe_begin(void) {
  ambient_clocks_count(1);
  is_probing = true;
}

void ambient_clocks_probe_end(void) {
  is_probing = false;
  ambient_clocks_count(-1);
}
