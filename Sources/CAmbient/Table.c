#include "Table.h"

#include <stdlib.h>

static struct table_place *fill(struct table_place *place, uintptr_t key, int value) {
  uintptr_t none = 0;
  if (!atomic_compare_exchange_strong(&place->key, &none, UINTPTR_MAX)) return NULL;
  atomic_store(&place->value, value);
  // Last: a handler that finds the key finds the value.
  atomic_store(&place->key, key);
  return place;
}

struct table_place *ambient_table_add(struct table *table, uintptr_t key, int value) {
  for (;;) {
    for (int i = 0; i < table_block; i++) {
      struct table_place *place = fill(&table->places[i], key, value);
      if (place) return place;
    }
    struct table *next = atomic_load(&table->next);
    if (!next) {
      struct table *made = calloc(1, sizeof(*made));
      if (!made) return NULL;
      // Another thread may have appended a block meanwhile.
      if (atomic_compare_exchange_strong(&table->next, &next, made)) next = made;
      else free(made);
    }
    table = next;
  }
}

struct table_place *ambient_table_find(struct table *table, uintptr_t key) {
  FOR_EACH_PLACE(place, table) if (atomic_load(&place->key) == key) return place;
  return NULL;
}
