#ifndef RAW_COUNTER_H
#define RAW_COUNTER_H

#include <stdint.h>

// Numbers that somebody adds to, each in a cache line of its own. In C because a global of Swift is
// made on first use, and asks at each use whether it has been made.

#define RAW_COUNTER_PLACES 32

struct raw_counter {
  _Alignas(128) int64_t sum;
};

extern struct raw_counter raw_counters[RAW_COUNTER_PLACES];

/// Adds to the number at a place, which is less than RAW_COUNTER_PLACES.
static inline void raw_counter_add(int64_t number, int64_t place) {
  raw_counters[place].sum += number;
}

/// The number at a place.
static inline int64_t raw_counter_sum(int64_t place) { return raw_counters[place].sum; }

#endif
