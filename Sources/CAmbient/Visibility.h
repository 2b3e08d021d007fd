#ifndef C_VISIBILITY_H
#define C_VISIBILITY_H

// A program and a dynamic library that it uses may each have a copy of this module. Protected
// visibility lets each use its own: by default, the program's symbols preempt the library's.
#ifdef __ELF__
#define OWN __attribute__((visibility("protected")))
#else
#define OWN
#endif

#endif
