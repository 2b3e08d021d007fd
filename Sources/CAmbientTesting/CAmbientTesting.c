#include "CAmbientTesting.h"

#include "CVirtualTime.h"

// When the program is loaded, before any test: otherwise a test would depend on which ran before.
__attribute__((constructor)) static void install(void) {
  if (ambient_hooks_install() && ambient_testing_replace_executor)
    ambient_testing_replace_executor();
}

void ambient_testing_keep(void) {}
