// SPDX-License-Identifier: Apache-2.0

// Declares crypt(3), the system's function for hashing passwords. This target needs no further
// package, because <crypt.h> is installed with the C library's development files, which Swift
// requires.
#include <crypt.h>
