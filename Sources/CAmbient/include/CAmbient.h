#ifndef C_AMBIENT_H
#define C_AMBIENT_H

#include <stdint.h>

// The gate of Log: the lowest level that anybody accepts. In C, because a caller in another module
// reaches a Swift global by a call, and this one must cost no more than the load itself.
extern uint8_t ambient_log_gate;

static inline uint8_t ambient_log_gate_load(void) {
  return __atomic_load_n(&ambient_log_gate, __ATOMIC_RELAXED);
}

static inline void ambient_log_gate_store(uint8_t lowest) {
  __atomic_store_n(&ambient_log_gate, lowest, __ATOMIC_RELAXED);
}

#endif
