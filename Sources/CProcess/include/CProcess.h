/// Code that has to be C: the crash handler on its alternate stack, signals as bytes, starting other programs, and the
/// hook that keeps an idle program quiet.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

#ifdef __cplusplus
extern "C" {
#endif

/// From now on, a crash (SEGV, BUS, ILL, FPE, ABRT, TRAP, SYS, and QUIT and XFSZ from outside) or an exit first sets
/// `tty` to `saved`, writes `restore` to it and discards its input. That takes less than a second even if the terminal
/// accepts no output. The bytes are copied, 1024 at most. Call it before taking the terminal. The calling thread gets
/// an alternate stack, as in `qw_crash_cover_thread`.
void qw_crash_arm(const char *restore, size_t length, int tty, const struct termios *saved);

/// From now on, a crash while armed also writes a report to the file `path`, except for QUIT and XFSZ: version, signal,
/// time, the failed check's message, and the running functions; no text of the user's, and nothing else from memory.
void qw_crash_report_to(const char *path, const char *version);

/// Hides standard error until `qw_errors_show` if it is a terminal: a library's message would damage the screen.
void qw_errors_hide(void);
void qw_errors_show(void);

/// Bounds the hidden errors: beyond 64 KiB later ones overwrite the oldest. Without this call they take a megabyte at
/// most, and what comes after that is lost.
void qw_errors_trim(void);

/// Undoes `qw_crash_arm`. The terminal must have been restored already.
void qw_crash_disarm(void);

/// Gives the calling thread an alternate stack for the crash handler, so that a stack overflow is caught too. Nearly
/// free if the thread has one.
void qw_crash_cover_thread(void);

/// Catches `signal` from now on: each arrival writes one byte, the signal's number, to the returned descriptor, which
/// is nonblocking and the same for all signals. Returns -1 on failure.
int qw_signal_watch(int signal);

/// Restores the action that `signal` had before `qw_signal_watch`.
void qw_signal_unwatch(int signal);

/// Takes the default action of `signal` on this process, at once. Returns if that doesn't end the process: after a
/// stop, when it is continued. A plain `raise` is not enough: Dispatch's threads, which run the main queue, block most
/// signals.
void qw_signal_default(int signal);

/// Stops this process's job, as the terminal would for ^Z. Returns when it has been continued, or at once if nobody
/// could continue it: the system ignores the signal then.
void qw_stop_job(void);

/// Whether this process's job is in the background of its terminal `tty`, which then belongs to another job. False if
/// `tty` doesn't control this process, and for the leader of a session, which isn't a job. Async-signal-safe.
bool qw_in_background(int tty);

/// Returns once this process's job is in the foreground of `tty`. Until then it stops the job, as the system does when
/// a job writes from the background, and again when a shell continues the job there. Returns false if the job is in
/// the background and no shell could continue it.
bool qw_await_foreground(int tty);

/// Starts the shell command `script`, with `argument` as its `$1`, in the foreground of the terminal. `input` and
/// `output` become its standard input and output; the only other descriptor it inherits is standard error. Until
/// `qw_foreground_end` this process ignores INT and QUIT, which the terminal sends to both. Returns the process id, or
/// -1. One at a time.
int qw_foreground_start(const char *script, const char *argument, int input, int output);

/// Waits without a time limit for such a process to end. Returns its exit status, or 128 plus the number of the signal
/// that ended it; -1 if unknown. May be called from any thread.
int qw_foreground_wait(int process);

/// Restores the actions of INT and QUIT.
void qw_foreground_end(void);

/// The terminal's size. Returns false if it reports none.
bool qw_window_size(int tty, int *rows, int *columns);

/// The size of the terminal's cells in pixels. Returns false if it reports none.
bool qw_cell_size(int tty, int *width, int *height);

/// Makes a terminal deliver every byte at once, unchanged and without echo, even `^C` and `^Z`. `saved` is its former
/// setting.
void qw_terminal_raw(int tty, const struct termios *saved);

/// Opens the same terminal for nonblocking writes. The given descriptor stays blocking, since others share it. Returns
/// -1 on failure.
int qw_reopen_terminal(int tty);

/// A pipe: the end to read and the end to write. Other programs don't inherit them. Returns false on failure.
bool qw_pipe(int ends[2]);

/// An in-memory file, or else a temporary one without a name. Returns -1 on failure.
int qw_memory_file(void);

/// Starts a program that survives this one, in a session without a terminal, with /dev/null as its input, output and
/// errors, and never as this process's zombie. `arguments` ends with NULL; the first is the program, looked up in PATH.
/// Returns 0, or the errno of the failure.
int qw_start_detached(char *const arguments[]);

/// Forks this process. Call it while there is only one thread. Returns 0 in the child, its process id in the parent, or
/// -1 on failure.
int qw_fork(void);

/// Has large blocks of memory go back to the system once they are freed. Call it before there are threads.
void qw_return_large_blocks(void);

/// Runs Swift's tasks on a private serial queue instead of the global pool, whose manager wakes an idle process every
/// second. Call it before the first task. Does nothing on systems other than Linux.
void qw_install_quiet_executor(void);

/// The same, but waiting tasks run in a random order determined by `seed`, which exposes code that depends on their
/// order.
void qw_install_shuffling_executor(uint64_t seed);

#ifdef __cplusplus
}
#endif
