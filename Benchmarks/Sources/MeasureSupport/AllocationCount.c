#include "AllocationCount.h"

#include <stdlib.h>

#if defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

// These functions stand in front of the allocator's in every program that links this target: the
// dynamic linker takes the first of a name that it finds, and the program comes before its libraries.
// One addition to a number of the thread's own is all they cost.

static __thread uint64_t count;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count += 1;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count += 1;
  return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
  count += 1;
  return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
  count += 1;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count += 1;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
    return EINVAL;
  }
  count += 1;
  void *pointer = __libc_memalign(alignment, size);
  if (pointer == NULL) { return ENOMEM; }
  *result = pointer;
  return 0;
}

bool allocation_count_is_available(void) { return true; }

uint64_t allocation_count_of_this_thread(void) { return count; }

uint64_t allocation_count_allocated_bytes(void) {
  struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

#else

bool allocation_count_is_available(void) { return false; }

uint64_t allocation_count_of_this_thread(void) { return 0; }

uint64_t allocation_count_allocated_bytes(void) { return 0; }

#endif
