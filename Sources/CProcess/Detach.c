#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Closes all descriptors from `first` on, including any not marked close-on-exec.
static void close_from(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
  long limit = sysconf(_SC_OPEN_MAX);
  if (limit < 0 || limit > 65536) limit = 65536;
  for (int descriptor = first; descriptor < limit; descriptor++) close(descriptor);
}

// Runs in the child: only functions allowed between fork and exec.
static _Noreturn void become(char *const arguments[], int report) {
  sigset_t none;
  sigemptyset(&none);
  // The program must not inherit ignored or blocked signals.
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // Moves the report pipe past the program's three standard descriptors. It closes on exec.
  report = fcntl(report, F_DUPFD_CLOEXEC, 3);
  int nowhere = open("/dev/null", O_RDWR);
  if (report >= 0 && nowhere >= 0) {
    for (int descriptor = 0; descriptor < 3; descriptor++) dup2(nowhere, descriptor);
    if (report != 3) {
      dup2(report, 3);
      fcntl(3, F_SETFD, FD_CLOEXEC);
      report = 3;
    }
    close_from(4);
    execvp(arguments[0], arguments);
  }
  int error = errno;
  ssize_t ignored = write(report, &error, sizeof error);
  (void)ignored;
  _exit(127);
}

int qw_start_detached(char *const arguments[]) {
  int ends[2];
  if (pipe(ends) != 0) return errno;
  // The write end closes on exec, so end of file means that the program started.
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  pid_t child = fork();
  if (child < 0) {
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    return error;
  }
  if (child == 0) {
    // A new session has no terminal, and this process doesn't have to reap the grandchild.
    setsid();
    pid_t grandchild = fork();
    if (grandchild == 0) become(arguments, ends[1]);
    if (grandchild < 0) {
      int error = errno;
      ssize_t ignored = write(ends[1], &error, sizeof error);
      (void)ignored;
    }
    _exit(0);
  }
  close(ends[1]);
  int error = 0;
  ssize_t count;
  do {
    count = read(ends[0], &error, sizeof error);
  } while (count < 0 && errno == EINTR);
  close(ends[0]);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
  return count == (ssize_t)sizeof error ? error : 0;
}

int qw_fork(void) { return (int)fork(); }
