#ifndef C_AMBIENT_TESTING_H
#define C_AMBIENT_TESTING_H

#include <stdbool.h>

// Does nothing. A call makes the linker keep this file's constructor, which lets scopes see jobs,
// even if this file is in an archive (a static library).
void ambient_testing_keep(void);

#if defined(__linux__)
// Installs AmbientTesting's default executor (JobOfferingExecutor.swift), which offers jobs to scopes;
// true if it did. Weak, since that file is empty for other compilers; only for Linux, since Apple's
// linker rejects the missing symbol.
extern bool ambient_testing_replace_executor(void) __attribute__((weak));
#endif

#endif
