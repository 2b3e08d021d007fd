#ifndef C_TABLE_H
#define C_TABLE_H

#include <stdatomic.h>
#include <stdint.h>

// A table that a handler of signals, or the child of a fork, walks while others add to it: blocks of
// places, the first of which is a variable. It is only ever appended to, and a place that was freed is
// taken again.
enum { table_block = 64 };

struct table_place {
  // Zero is free; all ones stand for a place that is being filled.
  _Atomic(uintptr_t) key;
  atomic_int value;
};

struct table {
  struct table_place places[table_block];
  _Atomic(struct table *) next;
};

static inline _Bool table_is_used(uintptr_t key) { return key != 0 && key != UINTPTR_MAX; }

#ifdef __ELF__
#pragma GCC visibility push(hidden)
#endif

// Adds a key that is none of the two; null if there is no memory.
struct table_place *ambient_table_add(struct table *table, uintptr_t key, int value);

// The place of the key, or null. Safe in a handler of signals.
struct table_place *ambient_table_find(struct table *table, uintptr_t key);

#ifdef __ELF__
#pragma GCC visibility pop
#endif

// Calls the code with `place` for each place that is used. Safe in a handler of signals.
#define FOR_EACH_PLACE(place, all) \
  for (struct table *block_ = (all); block_; block_ = atomic_load(&block_->next)) \
    for (struct table_place *place = block_->places; place < block_->places + table_block; place++) \
      if (table_is_used(atomic_load(&place->key)))

#endif
