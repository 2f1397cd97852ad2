#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations are counted on this system.
bool allocation_count_is_available(void);

/// How many allocations the calling thread has made so far.
uint64_t allocation_count_of_this_thread(void);

/// How many bytes are allocated in the whole process, by the allocator's own account.
uint64_t allocation_count_allocated_bytes(void);

#endif
