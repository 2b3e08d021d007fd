// SPDX-License-Identifier: Apache-2.0

#ifndef C_AMBIENT_TESTING_H
#define C_AMBIENT_TESTING_H

#include <stdbool.h>

// Does nothing. A call makes the linker keep the constructor in CAmbientTesting.c, which lets
// scopes see jobs, even if the object file is in an archive (a static library).
void ambient_testing_keep(void);

#if defined(__linux__)
// Installs AmbientTesting's default executor (JobOfferingExecutor.swift), which offers jobs to
// scopes. Returns true on success. The function is weak, because that Swift file, which defines it,
// is empty for some compiler versions. The function is declared only for Linux, because Apple's
// linker rejects a missing function even if it is weak.
extern bool ambient_testing_replace_executor(void) __attribute__((weak));
#endif

#endif
