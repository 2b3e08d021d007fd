#include "CAmbientTesting.h"

#include <stdlib.h>

#include "CVirtualTime.h"

// When the program is loaded, before any test: otherwise a test would depend on which ran before.
__attribute__((constructor)) static void install(void) {
  const bool is_replaced =
      ambient_testing_replace_executor && ambient_testing_replace_executor();
  ambient_jobs_see(is_replaced ? ambient_jobs_by_executor : ambient_jobs_by_hook);
  const char *limit = getenv("AMBIENT_TESTS_LIMIT");
  ambient_tests_set_limit(limit ? (uint32_t)strtoul(limit, NULL, 10) : 60);
}

void ambient_testing_keep(void) {}
