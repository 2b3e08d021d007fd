#include "CLines.h"

void call_deeper(size_t bytes, void (*body)(void)) {
  volatile char room[bytes];
  for (size_t place = bytes; place > 0; place--) room[place - 1] = 0;
  body();
  room[0] = 1;
}

#ifdef __x86_64__
__asm__(
    ".globl call_with_frame_register\n"
    "call_with_frame_register:\n"
    "  push %rbp\n"
    "  mov %rdi, %rbp\n"
    "  mov %rdx, %rdi\n"
    "  call *%rsi\n"
    "  pop %rbp\n"
    "  ret\n");
#elif defined(__aarch64__) && defined(__linux__)
__asm__(
    ".globl call_with_frame_register\n"
    "call_with_frame_register:\n"
    "  stp x29, x30, [sp, #-16]!\n"
    "  mov x29, x0\n"
    "  mov x0, x2\n"
    "  blr x1\n"
    "  ldp x29, x30, [sp], #16\n"
    "  ret\n");
#else
void call_with_frame_register(uintptr_t value, void (*body)(void *context), void *context) {
  (void)value;
  body(context);
}
#endif
