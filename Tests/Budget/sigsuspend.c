// valgrind 3.19 writes to the mask that Dispatch passes to sigsuspend, which is read-only. This library, loaded by
// LD_PRELOAD, passes a copy.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
  sigset_t copy = *mask;
  return syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}
