#include "CProcess.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

void qw_return_large_blocks(void) {
#ifdef __GLIBC__
  // By default, freeing the first large block raises both thresholds to its size. Later blocks of that size are
  // allocated from the per-thread heaps and never returned to the system.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

void qw_return_freed_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
