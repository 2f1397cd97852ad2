#ifndef RAW_COUNTER_H
#define RAW_COUNTER_H

#include <stdint.h>

// Numbers that somebody adds to, each in a cache line of its own. In C because a global of Swift is
// made on first use, and asks at each use whether it has been made.

#define RAW_COUNTER_PLACES 64
#define RAW_COUNTER_STRIDE 16

extern int64_t raw_counters[RAW_COUNTER_PLACES * RAW_COUNTER_STRIDE];

static inline void raw_counter_add(int64_t number, int64_t index) {
  raw_counters[(index & (RAW_COUNTER_PLACES - 1)) * RAW_COUNTER_STRIDE] += number;
}

#endif
