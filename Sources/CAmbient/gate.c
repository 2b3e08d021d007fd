#include "CAmbient.h"

// Zero lets everything pass, until the first call opens the gate.
uint8_t ambient_log_gate = 0;
