#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Signals that the terminal sends to every process in the foreground.
static const int shared[] = {SIGINT, SIGQUIT};
static struct sigaction former[2];
static bool ignoring;

static void ignore_shared(void) {
  struct sigaction action = {.sa_handler = SIG_IGN};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < 2; index++) sigaction(shared[index], &action, &former[index]);
  ignoring = true;
}

void qw_foreground_end(void) {
  if (!ignoring) return;
  ignoring = false;
  for (int index = 0; index < 2; index++) sigaction(shared[index], &former[index], NULL);
}

int qw_foreground_start(const char *script, const char *argument, int input, int output) {
  if (ignoring) return -1;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  if (posix_spawn_file_actions_init(&files) != 0) return -1;
  if (posix_spawnattr_init(&attributes) != 0) {
    posix_spawn_file_actions_destroy(&files);
    return -1;
  }
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
#endif
#endif
  // Dispatch's threads block most signals, and the child would inherit ignored ones.
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGQUIT);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, flags);

  ignore_shared();
  pid_t process = -1;
  char *words[] = {"sh", "-c", (char *)script, "sh", (char *)argument, NULL};
  int failure = posix_spawn(&process, "/bin/sh", &files, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (failure == 0) return process;
  qw_foreground_end();
  errno = failure;
  return -1;
}

int qw_foreground_wait(int process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
