// SPDX-License-Identifier: Apache-2.0

#ifndef C_VISIBILITY_H
#define C_VISIBILITY_H

// A program and a dynamic library that the program uses may each contain a copy of this module. By
// default, the library would call the program's copy, because the program's symbols preempt the
// library's. With protected visibility, the library calls its own copy.
#ifdef __ELF__
#define OWN __attribute__((visibility("protected")))
#else
#define OWN
#endif

#endif
