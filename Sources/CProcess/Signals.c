#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static int ends[2] = {-1, -1};
static struct sigaction former[NSIG];
static bool watched[NSIG];

static void arrived(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  // A full pipe already contains enough signals.
  ssize_t ignored = write(ends[1], &byte, 1);
  (void)ignored;
  errno = saved;
}

static bool open_pipe(void) {
  if (ends[0] >= 0) return true;
  if (pipe(ends) != 0) {
    ends[0] = ends[1] = -1;
    return false;
  }
  for (int index = 0; index < 2; index++) {
    fcntl(ends[index], F_SETFL, O_NONBLOCK);
    fcntl(ends[index], F_SETFD, FD_CLOEXEC);
  }
  return true;
}

int qw_signal_watch(int number) {
  if (number <= 0 || number >= NSIG || !open_pipe()) return -1;
  struct sigaction action = {.sa_handler = arrived, .sa_flags = SA_RESTART}, before;
  // In the background, a restarted terminal call would raise the same signal forever.
  if (number == SIGTTIN || number == SIGTTOU) action.sa_flags = 0;
  sigemptyset(&action.sa_mask);
  if (sigaction(number, &action, &before) != 0) return -1;
  if (!watched[number]) former[number] = before;
  watched[number] = true;
  return ends[0];
}

void qw_signal_unwatch(int number) {
  if (number <= 0 || number >= NSIG || !watched[number]) return;
  watched[number] = false;
  sigaction(number, &former[number], NULL);
}

/// Performs the default action of `number` on this thread. A signal that a thread raises for itself is delivered before
/// `raise` returns, so if it stops the process, the process has stopped by then.
static void take_default(int number) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigset_t unblock, mask;
  sigemptyset(&action.sa_mask);
  sigemptyset(&unblock);
  sigaddset(&unblock, number);
  sigaction(number, &action, NULL);
  pthread_sigmask(SIG_UNBLOCK, &unblock, &mask);
  raise(number);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

void qw_signal_default(int number) {
  struct sigaction before;
  sigaction(number, NULL, &before);
  take_default(number);
  sigaction(number, &before, NULL);
}

bool qw_in_background(int tty) {
  // 0 if the foreground job is unknown, for example in another PID namespace.
  pid_t foreground = tcgetpgrp(tty);
  return foreground > 0 && foreground != getpgrp() && getsid(0) != getpid();
}

bool qw_await_foreground(int tty) {
  if (!qw_in_background(tty)) return true;
  struct sigaction action = {.sa_handler = SIG_DFL}, before;
  sigset_t unblock, mask;
  sigemptyset(&action.sa_mask);
  // Unblock all signals, because this thread may be the first to run after a shell's `kill` continues the job. If the
  // thread blocked SIGCONT, the call below could stop the job again before another thread handles SIGCONT.
  sigfillset(&unblock);
  sigaction(SIGTTOU, &action, &before);
  pthread_sigmask(SIG_UNBLOCK, &unblock, &mask);
  // In the foreground this has no effect. In the background the system stops the job, and restarts the call when the
  // job continues.
  int result;
  do {
    result = tcsetpgrp(tty, getpgrp());
  } while (result != 0 && errno == EINTR);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGTTOU, &before, NULL);
  return result == 0;
}

void qw_stop_job(void) {
  // A background job is stopped when it resumes the terminal. Stopping it here, with SIGTSTP, would end a loop in the
  // shell's script.
  if (qw_in_background(STDOUT_FILENO)) return;
  struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
  sigemptyset(&ignore.sa_mask);
  // Stop the other processes in the job first. Until they are stopped, ignore the signal here: it could reach this
  // process on any thread at any time.
  sigaction(SIGTSTP, &ignore, &before);
  kill(0, SIGTSTP);
  if (before.sa_handler != SIG_IGN) take_default(SIGTSTP);
  sigaction(SIGTSTP, &before, NULL);
}
