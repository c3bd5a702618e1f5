#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define HAS_BACKTRACE 1
#endif
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>

enum { restore_capacity = 1024, stack_size = 64 * 1024, path_capacity = 1024, frame_capacity = 64 };
/// Time limit for a terminal that accepts no output. It begins again after the pending output is discarded.
enum { patience_in_milliseconds = 400 };
/// Bytes of hidden standard error. `qw_errors_trim` starts over beyond the first limit; the file never exceeds the
/// second.
enum { kept_errors = 64 * 1024, most_errors = 1024 * 1024 };

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGQUIT, SIGXFSZ};
enum { crash_signal_count = sizeof crash_signals / sizeof *crash_signals };

static char restore_bytes[restore_capacity];
static size_t restore_length;
static int restore_tty = -1;
/// The terminal `restore_tty`, reopened for nonblocking writes; -1 if that failed.
static int restore_output = -1;
static struct termios restore_termios;
static volatile sig_atomic_t armed;
static struct sigaction former[crash_signal_count];
static bool handlers_set;

static char report_path[path_capacity];
static char report_version[64];
static int error_copy = -1;
static int errors_before = -1;

static __thread char alternate_stack[stack_size] __attribute__((aligned(16)));
static __thread bool stack_set;

static long milliseconds_since(const struct timespec *start) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
}

/// Writes the sequence that restores the terminal, within a time limit. If the terminal accepts nothing, discards its
/// pending output and tries once more. Async-signal-safe.
static void write_in_time(void) {
  int file = restore_output >= 0 ? restore_output : restore_tty;
  const char *bytes = restore_bytes;
  size_t left = restore_length;
  bool dropped = false;
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  while (left > 0) {
    struct pollfd terminal = {.fd = file, .events = POLLOUT};
    bool has_room = poll(&terminal, 1, 20) > 0;
    // If writes block, write only a few bytes at a time.
    size_t count = restore_output >= 0 || left < 64 ? left : 64;
    ssize_t written = has_room ? write(file, bytes, count) : -1;
    if (written > 0) {
      bytes += written;
      left -= (size_t)written;
      continue;
    }
    if (has_room && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) return;
    if (milliseconds_since(&start) < patience_in_milliseconds) continue;
    if (dropped) return;
    dropped = true;
    tcflush(file, TCOFLUSH);
    clock_gettime(CLOCK_MONOTONIC, &start);
  }
}

/// Restores the terminal once. Async-signal-safe.
static void restore(void) {
  if (!__atomic_exchange_n(&armed, 0, __ATOMIC_SEQ_CST)) return;
  // In the background, the shell has already set its own terminal mode.
  if (qw_in_background(restore_tty)) return;
  // With this signal blocked, even a background process can configure the terminal.
  sigset_t block, before;
  sigemptyset(&block);
  sigaddset(&block, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &block, &before);
  // Late replies from the terminal and keys typed for this program must not reach the next one.
  tcflush(restore_tty, TCIFLUSH);
  tcsetattr(restore_tty, TCSANOW, &restore_termios);
  write_in_time();
  tcflush(restore_tty, TCIFLUSH);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static const char *name_of(int number) {
  switch (number) {
    case SIGSEGV: return "SIGSEGV, a bad address";
    case SIGBUS: return "SIGBUS, a bad address";
    case SIGILL: return "SIGILL, a check that failed";
    case SIGTRAP: return "SIGTRAP, a check that failed";
    case SIGFPE: return "SIGFPE, bad arithmetic";
    case SIGSYS: return "SIGSYS, a system call that is forbidden";
    case SIGABRT: return "SIGABRT, a check that failed";
    default: return "a signal";
  }
}

static void say(int file, const char *text) {
  ssize_t ignored = write(file, text, strlen(text));
  (void)ignored;
}

static void say_number(int file, long number) {
  char digits[24];
  int place = sizeof digits;
  digits[--place] = 0;
  do {
    digits[--place] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0 && place > 0);
  say(file, digits + place);
}

/// Writes the runtime's message for the failed check, up to the first quotation mark, which may precede user data.
static void say_last_error(int file) {
  if (error_copy < 0) return;
  char text[241];
  off_t end = lseek(error_copy, 0, SEEK_CUR);
  ssize_t count = pread(error_copy, text, sizeof text - 1, end > 240 ? end - 240 : 0);
  if (count <= 0) return;
  text[count] = 0;
  const char *start = strstr(text, "Fatal error");
  if (!start) return;
  size_t length = strcspn(start, "\"'\n");
  ssize_t ignored = write(file, start, length);
  (void)ignored;
  say(file, "\n");
}

/// Writes the crash report. Async-signal-safe except for the first call of `backtrace`, which `qw_crash_report_to`
/// makes.
static void report(int number) {
  if (!report_path[0] || number == SIGQUIT || number == SIGXFSZ) return;
  int file = open(report_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  say(file, "Qwinkle ");
  say(file, report_version);
  say(file, " was ended by ");
  say(file, name_of(number));
  say(file, ", at ");
  say_number(file, (long)time(NULL));
  say(file, " (seconds since 1970).\n");
  say_last_error(file);
#ifdef HAS_BACKTRACE
  void *frames[frame_capacity];
  backtrace_symbols_fd(frames, backtrace(frames, frame_capacity), file);
#endif
  close(file);
}

static void crashed(int number, siginfo_t *info, void *context) {
  (void)info;
  (void)context;
  bool was_armed = armed;
  restore();
  if (was_armed) report(number);
  signal(number, SIG_DFL);
  // The signal is blocked until this handler returns, then fatal.
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
  // The descriptor may refer to another terminal now.
  if (!armed) {
    if (restore_output >= 0) close(restore_output);
    restore_output = qw_reopen_terminal(tty);
  }
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

void qw_crash_report_to(const char *path, const char *version) {
  if (strlen(path) >= path_capacity) return;
#ifdef HAS_BACKTRACE
  void *frames[4];
  backtrace(frames, 4);
#endif
  strncpy(report_version, version, sizeof report_version - 1);
  strcpy(report_path, path);
}

/// An in-memory file that can't grow beyond `most_errors`, if the system supports that.
static int bounded_memory_file(void) {
#if defined(F_ADD_SEALS)
  int file = memfd_create("qwinkle-errors", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file >= 0) {
    // Unwritten pages use no memory.
    if (ftruncate(file, most_errors) == 0) fcntl(file, F_ADD_SEALS, F_SEAL_GROW);
    return file;
  }
#endif
  return qw_memory_file();
}

void qw_errors_hide(void) {
  if (errors_before >= 0 || !isatty(STDERR_FILENO)) return;
  if (error_copy < 0) error_copy = bounded_memory_file();
  if (error_copy < 0) return;
  errors_before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (errors_before >= 0) dup2(error_copy, STDERR_FILENO);
}

void qw_errors_trim(void) {
  if (error_copy < 0 || lseek(error_copy, 0, SEEK_CUR) <= kept_errors) return;
  // Later output overwrites the beginning.
  lseek(error_copy, 0, SEEK_SET);
}

void qw_errors_show(void) {
  if (errors_before < 0) return;
  dup2(errors_before, STDERR_FILENO);
  close(errors_before);
  errors_before = -1;
}

void qw_crash_disarm(void) {
  armed = 0;
  if (restore_output >= 0) close(restore_output);
  restore_output = -1;
  if (!handlers_set) return;
  for (int index = 0; index < crash_signal_count; index++) sigaction(crash_signals[index], &former[index], NULL);
  handlers_set = false;
}
