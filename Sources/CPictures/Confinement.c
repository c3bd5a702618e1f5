#include "CPictures.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// Limit on processor time. No single picture needs this much, so it only ends processes that have decoded many.
static const rlim_t seconds_of_life = 300;

static int limit(int resource, rlim_t value) {
  struct rlimit limit = {value, value};
  return setrlimit(resource, &limit) == 0;
}

// Closes all descriptors except the pipes and standard error.
static void close_others(void) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0) return;
#endif
  struct rlimit files;
  int most = 1048576;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < (rlim_t)most) most = (int)files.rlim_cur;
  for (int file = 3; file < most; file++) close(file);
}

static size_t address_space(void) {
  FILE *file = fopen("/proc/self/statm", "re");
  unsigned long pages = 0;
  if (file == NULL) return 0;
  int count = fscanf(file, "%lu", &pages);
  fclose(file);
  return count == 1 ? (size_t)pages * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define ALLOW(name) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// Allowed unless the third argument requests executable memory.
#define ALLOW_DATA(name)                                                                          \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4),                                         \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),                 \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), BPF_STMT(BPF_RET | BPF_K, REFUSE),   \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// Refused calls fail, and the libraries cope with that.
#define REFUSE (SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA))

static int filter_calls(void) {
#ifdef ARCHITECTURE
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      ALLOW(read), ALLOW(write), ALLOW(brk), ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW(futex),
      ALLOW(clock_gettime), ALLOW(gettimeofday), ALLOW(setitimer), ALLOW(getpid), ALLOW(gettid), ALLOW(tgkill),
      ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(sched_yield),
      ALLOW(sched_getaffinity), ALLOW(getrandom), ALLOW(exit), ALLOW(exit_group), ALLOW(close),
      ALLOW(restart_syscall),
      ALLOW_DATA(mmap), ALLOW_DATA(mprotect),
      BPF_STMT(BPF_RET | BPF_K, REFUSE),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
#else
  return 0;
#endif
}

int qw_picture_confine(size_t more) {
  size_t used = address_space();
  close_others();
  int limits = limit(RLIMIT_CORE, 0) & limit(RLIMIT_FSIZE, 0) & limit(RLIMIT_NOFILE, 0) &
               limit(RLIMIT_CPU, seconds_of_life);
  limits &= limit(RLIMIT_AS, used > 0 ? used + more : more + ((size_t)1 << 30));
  // Only stops new processes; the user's other processes continue.
  limit(RLIMIT_NPROC, 0);
  return (limits ? QW_CONFINED_BY_LIMITS : 0) | (filter_calls() ? QW_CONFINED_BY_FILTER : 0);
}

void qw_picture_allow_seconds(int seconds) {
  // SIGPROF ends the process.
  struct itimerval timer = {{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &timer, NULL);
}

void qw_picture_probe(int32_t errors[4]) {
  int file = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
  errors[0] = file < 0 ? errno : 0;
  int endpoint = socket(AF_INET, SOCK_STREAM, 0);
  errors[1] = endpoint < 0 ? errno : 0;
  pid_t child = fork();
  if (child == 0) _exit(0);
  errors[2] = child < 0 ? errno : 0;
  if (child > 0) waitpid(child, NULL, 0);
  size_t count = (size_t)200 << 20;
  void *memory = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  errors[3] = memory == MAP_FAILED ? errno : 0;
  if (memory != MAP_FAILED) munmap(memory, count);
}
