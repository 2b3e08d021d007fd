// crypt(3), the system's password hashing. Its header comes with the C library's development files,
// which Swift needs anyway.
#include <crypt.h>
