#include "RawCounter.h"

struct raw_counter raw_counters[RAW_COUNTER_PLACES];
