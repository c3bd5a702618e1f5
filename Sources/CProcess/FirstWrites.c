// Populates the memory of the program's variables before it has threads. Swift reads most of them before it first
// writes them. With threads running, each such first write interrupts every processor, which takes a tenth of a
// millisecond on a virtual machine, and a start has some twenty. Older kernels refuse the call, which does no harm.

#if defined(__linux__)

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

extern char __bss_start[];
extern char _end[];

__attribute__((constructor(101))) static void take_variables(void) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = (uintptr_t)__bss_start & ~(page - 1);
  uintptr_t end = ((uintptr_t)_end + page - 1) & ~(page - 1);
  madvise((void *)start, end - start, MADV_POPULATE_WRITE);
}

#endif
