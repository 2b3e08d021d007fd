// SPDX-License-Identifier: Apache-2.0

#ifndef C_HOSTILE_H
#define C_HOSTILE_H

#ifdef __linux__
#include <sys/syscall.h>

#include "CCurl.h"

// A libcurl that knows no option above that number, in each of curl's ranges by type, and is
// otherwise that one. One at a time in a process.
struct ambient_curl hostile_old_curl(struct ambient_curl curl, int newest);

// A libcurl that refuses that option alone. One at a time in a process.
struct ambient_curl hostile_refusing_curl(struct ambient_curl curl, int option);

// A libcurl that uses the proxy which a URL names by its query, `?proxy=https://127.0.0.1:1`. The
// place from 0 to 2 is one for each library of a process.
struct ambient_curl hostile_proxied_curl(struct ambient_curl curl, int place);

// A libcurl whose transfers all end with that result. One at a time in a process.
struct ambient_curl hostile_curl_with_result(struct ambient_curl curl, int result);

// A libcurl that does not start.
struct ambient_curl hostile_unstarted_curl(struct ambient_curl curl);

// A libcurl of that version, such as 0x073501 for 7.53.1. One at a time in a process.
struct ambient_curl hostile_curl_of_version(struct ambient_curl curl, unsigned version);

// From now on, the system refuses each call of that number (SYS_…) to the threads of this process,
// with that error. Returns 0 on success.
int hostile_fail_calls(int number, int error);

// Numbers that the C library's module for Swift lacks.
static const int hostile_pwritev2 = SYS_pwritev2, hostile_renameat2 = SYS_renameat2;

// The program that this target is linked into forgets the proxies of its environment when it starts.

// This target also interposes getaddrinfo in the program that it is linked into: a lookup of a name
// that ends in ".hangs.test" never returns.
#endif
#endif
