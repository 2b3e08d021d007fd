#ifndef C_AMBIENT_TESTING_H
#define C_AMBIENT_TESTING_H

#include <stdbool.h>

// Refers to the file that makes jobs seen when the program is loaded, so that the linker keeps
// it, also from an archive.
void ambient_testing_keep(void);

#if defined(__linux__)
// Puts in the default executor that offers jobs to scopes, and says whether it did: of
// AmbientTesting, in Swift; absent where it is not built, which Apple's linker would not allow.
extern bool ambient_testing_replace_executor(void) __attribute__((weak));
#endif

#endif
