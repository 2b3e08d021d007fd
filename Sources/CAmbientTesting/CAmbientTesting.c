// SPDX-License-Identifier: Apache-2.0

#include "CAmbientTesting.h"

#include <stdlib.h>

#include "CVirtualTime.h"

// Runs when the program is loaded, before any test, so that scopes see jobs in the same way in
// every test, whichever tests ran before it.
__attribute__((constructor)) static void install(void) {
  bool is_replaced = false;
#if defined(__linux__)
  is_replaced = ambient_testing_replace_executor && ambient_testing_replace_executor();
#endif
  ambient_jobs_see(is_replaced ? ambient_jobs_by_executor : ambient_jobs_by_hook);
  ambient_tests_read_limit(getenv("AMBIENT_TESTS_LIMIT"));
}

void ambient_testing_keep(void) {}
