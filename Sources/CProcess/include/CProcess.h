/// Code that must be in C: the crash handler on its alternate stack, signals as bytes, launching other programs, and
/// the executor hook that avoids idle wakeups.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Installs the crash handler. On a crash (SEGV, BUS, ILL, FPE, ABRT, TRAP, SYS, and QUIT and XFSZ from outside) or
/// exit, it first sets `tty` to `saved`, writes `restore` to it and discards its input. This takes less than a second
/// even if the terminal accepts no output. Copies `restore`, at most 1024 bytes. Call it before configuring the
/// terminal. The calling thread gets an alternate stack, as in `qw_crash_cover_thread`.
void qw_crash_arm(const char *restore, size_t length, int tty, const struct termios *saved);

/// Enables crash reports. While armed, every crash except QUIT and XFSZ writes a report to `path`: version, signal,
/// time, message of the failed check, and backtrace. It contains no user text and nothing else from memory.
void qw_crash_report_to(const char *path, const char *version);

/// Hides standard error until `qw_errors_show` if it is a terminal, because library messages would corrupt the screen.
void qw_errors_hide(void);
void qw_errors_show(void);

/// Limits the hidden errors: beyond 64 KiB, new ones overwrite the oldest. Without this call, they are limited to a
/// megabyte and later ones are lost.
void qw_errors_trim(void);

/// Uninstalls the crash handler. The terminal must already be restored.
void qw_crash_disarm(void);

/// Installs an alternate stack for the crash handler on the calling thread, so that stack overflows are caught too.
/// Cheap if the thread already has one.
void qw_crash_cover_thread(void);

/// Catches `signal` from now on. Each delivery writes one byte, the signal's number, to the returned descriptor, which
/// is nonblocking and the same for all signals. Returns -1 on failure.
int qw_signal_watch(int signal);

/// Restores the action that `signal` had before `qw_signal_watch`.
void qw_signal_unwatch(int signal);

/// Performs the default action of `signal` on this process immediately. Returns if the process survives: after a stop,
/// it returns when the process continues. A plain `raise` isn't enough, because Dispatch's threads, which run the main
/// queue, block most signals.
void qw_signal_default(int signal);

/// Stops this process's job, as the terminal does for ^Z. Returns when the job continues. If no shell could continue
/// the job, the system ignores the signal, and the function returns immediately.
void qw_stop_job(void);

/// Whether this process's job is in the background of its terminal `tty`, so that another job is using the terminal.
/// False if `tty` isn't the controlling terminal, and for a session leader, which isn't a job. Async-signal-safe.
bool qw_in_background(int tty);

/// Waits until this process's job is in the foreground of `tty`. A background job is stopped, as the system does when a
/// job writes from the background. If a shell continues it in the background, it is stopped again. Returns false if the
/// job is in the background and no shell could continue it.
bool qw_await_foreground(int tty);

/// Starts the shell command `script`, with `argument` as its `$1`, in the terminal's foreground. `input` and `output`
/// become its standard input and output. The only other descriptor it inherits is standard error. Until
/// `qw_foreground_end`, this process ignores INT and QUIT, which the terminal sends to both. Returns the process id, or
/// -1 on failure. Only one command can run at a time.
int qw_foreground_start(const char *script, const char *argument, int input, int output);

/// Waits for the command to end, without a time limit. Returns its exit status, 128 plus the number of the signal that
/// ended it, or -1 if unknown. Thread-safe.
int qw_foreground_wait(int process);

/// Restores the actions of INT and QUIT.
void qw_foreground_end(void);

/// Gets the terminal's size. Returns false if the terminal reports none.
bool qw_window_size(int tty, int *rows, int *columns);

/// Gets the size of the terminal's cells in pixels. Returns false if the terminal reports none.
bool qw_cell_size(int tty, int *width, int *height);

/// Switches a terminal to raw mode: it delivers every byte immediately, unchanged and without echo, including `^C` and
/// `^Z`. `saved` is its previous configuration.
void qw_terminal_raw(int tty, const struct termios *saved);

/// Opens the same terminal for nonblocking writes. The given descriptor remains blocking because other processes share
/// it. Returns -1 on failure.
int qw_reopen_terminal(int tty);

/// Creates a close-on-exec pipe: the read end and the write end. Returns false on failure.
bool qw_pipe(int ends[2]);

/// Creates an in-memory file, or else an unnamed temporary file. Returns -1 on failure.
int qw_memory_file(void);

/// Starts a program that outlives this one, in a session without a terminal, with /dev/null as its standard input,
/// output and error. It never becomes a zombie of this process. `arguments` is NULL-terminated; the first is the
/// program's path, or its name in PATH. Returns 0, or an errno on failure.
int qw_start_detached(char *const arguments[]);

/// Forks this process, which must have only one thread. Returns 0 in the child, the child's process id in the parent,
/// or -1 on failure.
int qw_fork(void);

/// Configures the allocator to return large blocks to the system when they are freed. Call it before starting threads.
void qw_return_large_blocks(void);

/// Returns freed memory to the system. Has no effect without glibc.
void qw_return_freed_memory(void);

/// Runs Swift tasks on a private serial queue instead of the global pool, whose manager wakes an idle process every
/// second. Call it before the first task.
void qw_install_quiet_executor(void);

/// Like `qw_install_quiet_executor`, but runs pending tasks in a random order determined by `seed`, to expose code that
/// depends on their order.
void qw_install_shuffling_executor(uint64_t seed);

#ifdef __cplusplus
}
#endif
