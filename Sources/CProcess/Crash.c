#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { restore_capacity = 1024, stack_size = 32 * 1024 };

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGQUIT};
enum { crash_signal_count = sizeof crash_signals / sizeof *crash_signals };

static char restore_bytes[restore_capacity];
static size_t restore_length;
static int restore_tty = -1;
static struct termios restore_termios;
static volatile sig_atomic_t armed;
static struct sigaction former[crash_signal_count];
static bool handlers_set;

static __thread char alternate_stack[stack_size] __attribute__((aligned(16)));
static __thread bool stack_set;

/// Async-signal-safe.
static void restore(void) {
  if (!__atomic_exchange_n(&armed, 0, __ATOMIC_SEQ_CST)) return;
  // A process in the background may still set the terminal while this signal is blocked.
  sigset_t block, before;
  sigemptyset(&block);
  sigaddset(&block, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &block, &before);
  const char *bytes = restore_bytes;
  size_t left = restore_length;
  while (left > 0) {
    ssize_t written = write(restore_tty, bytes, left);
    if (written > 0) {
      bytes += written;
      left -= (size_t)written;
    } else if (written == 0 || errno != EINTR) {
      break;
    }
  }
  tcsetattr(restore_tty, TCSANOW, &restore_termios);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void crashed(int number, siginfo_t *info, void *context) {
  (void)info;
  (void)context;
  restore();
  signal(number, SIG_DFL);
  // Blocked until this handler returns, and then fatal.
  raise(number);
}

void qw_crash_cover_thread(void) {
  if (stack_set) return;
  stack_set = true;
  stack_t stack = {.ss_sp = alternate_stack, .ss_size = stack_size, .ss_flags = 0};
  sigaltstack(&stack, NULL);
}

void qw_crash_arm(const char *bytes, size_t length, int tty, const struct termios *saved) {
  static bool registered;
  armed = 0;
  restore_length = length < restore_capacity ? length : restore_capacity;
  memcpy(restore_bytes, bytes, restore_length);
  restore_tty = tty;
  restore_termios = *saved;
  qw_crash_cover_thread();
  if (!handlers_set) {
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < crash_signal_count; index++) sigaction(crash_signals[index], &action, &former[index]);
    handlers_set = true;
  }
  if (!registered) {
    registered = true;
    atexit(restore);
  }
  armed = 1;
}

void qw_crash_disarm(void) {
  armed = 0;
  if (!handlers_set) return;
  for (int index = 0; index < crash_signal_count; index++) sigaction(crash_signals[index], &former[index], NULL);
  handlers_set = false;
}
