#include "CProcess.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

void qw_return_large_blocks(void) {
#ifdef __GLIBC__
  // Left alone, the first large block that is freed raises both thresholds to its size: from then on such blocks come
  // from the heaps, of which each thread has one, and stay there.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}
