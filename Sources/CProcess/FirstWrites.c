// Populates the pages of the program's variables before it has threads. Swift reads most of them before writing to
// them. Once threads are running, each first write interrupts every processor, which takes 0.1 ms on a virtual machine,
// and a launch has about twenty. Older kernels reject the call, which is harmless.

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
