// The system's password hashing: part of the C library's development files, which Swift needs.
#include <crypt.h>
