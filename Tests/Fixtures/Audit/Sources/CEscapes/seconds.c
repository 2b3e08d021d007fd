#include "CEscapes.h"

#include <time.h>

long seconds(void) {
  return time(NULL);  // time
}
