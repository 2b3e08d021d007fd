#ifndef C_AMBIENT_TESTING_H
#define C_AMBIENT_TESTING_H

// Refers to the file that installs the hooks when the program is loaded, so that the linker keeps
// it, also from an archive.
void ambient_testing_keep(void);

// AmbientTesting's own, in Swift; absent where it is not built.
extern void ambient_testing_replace_executor(void) __attribute__((weak));

#endif
