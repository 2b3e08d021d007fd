// SPDX-License-Identifier: Apache-2.0

#ifndef C_PLATFORM_H
#define C_PLATFORM_H

// Each header in this folder includes this header first, so that on an unsupported system the first
// error is one of the errors below. TargetConditionals.h is included on Apple's systems only,
// because an unsupported system may lack it.
#ifdef __APPLE__
#include <TargetConditionals.h>
#endif

// Apple's watches up to Series 8 run arm64_32, where Swift's Int has 32 bits. An Int of 32 bits is
// too small for nanoseconds since 1970, and for the hashes of the journal.
#if defined(__APPLE__) && TARGET_OS_WATCH
#error "Ambient does not run on watchOS, whose words have 32 bits: see README.md"
#elif defined(__ANDROID__)
#error "Ambient was not written for Android: see README.md"
#elif !defined(__linux__) && !defined(__APPLE__)
#error "Ambient runs on Linux, and is written for Apple's systems; for no other: see README.md"
#elif __SIZEOF_POINTER__ < 8
#error "Ambient needs words of 64 bits: see README.md"
#endif

#endif
