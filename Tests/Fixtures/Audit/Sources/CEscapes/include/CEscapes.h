#pragma once

#include <stdint.h>

long seconds(void);

#ifdef __linux__
// As glibc declares them from 2.36 on. No program of this package calls them, so none needs a C
// library that has them.
uint32_t arc4random(void);
uint32_t arc4random_uniform(uint32_t bound);
#endif
