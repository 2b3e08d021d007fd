#ifndef C_AMBIENT_TESTING_H
#define C_AMBIENT_TESTING_H

#include <stdbool.h>

// Does nothing. A call makes the linker keep the constructor in CAmbientTesting.c, which lets
// scopes see jobs, even if the object file is in an archive (a static library).
void ambient_testing_keep(void);

#if defined(__linux__)
// Installs AmbientTesting's default executor (JobOfferingExecutor.swift), which offers jobs to
// scopes. Returns true if it did. The symbol is weak, because that Swift file is empty for some
// compiler versions. It is declared only for Linux, because Apple's linker rejects the missing
// symbol.
extern bool ambient_testing_replace_executor(void) __attribute__((weak));
#endif

#endif
