#include "RawCounter.h"

int64_t raw_counters[RAW_COUNTER_PLACES * RAW_COUNTER_STRIDE];
