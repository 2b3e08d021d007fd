#ifndef C_OWN_H
#define C_OWN_H

// A program and a dynamic library that it uses may each have a copy of this. Protected, so that each
// reads its own: with the usual visibility the program's would stand in for the library's.
#ifdef __ELF__
#define OWN __attribute__((visibility("protected")))
#else
#define OWN
#endif

#endif
