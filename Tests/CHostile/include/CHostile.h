#ifndef C_HOSTILE_H
#define C_HOSTILE_H

#ifdef __linux__
#include "CCurl.h"

// A libcurl that knows no option above that number, in each of curl's ranges by type, and is
// otherwise that one. One at a time in a process.
struct ambient_curl hostile_old_curl(struct ambient_curl curl, int newest);

// This target also interposes getaddrinfo in the program that it is linked into: a lookup of a name
// that ends in ".hangs.test" never returns.
#endif
#endif
