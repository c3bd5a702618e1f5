/// What has to be C: the crash handler on its alternate stack, signals as bytes, programs started to go on by
/// themselves, and the hook that keeps an idle program quiet.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

#ifdef __cplusplus
extern "C" {
#endif

/// From now on, a crash (SEGV, BUS, ILL, FPE, ABRT, TRAP, SYS, and QUIT and XFSZ from outside) or an exit first sets
/// `tty` to `saved`, writes `restore` to it and forgets what it has sent, then goes its way: within a second, also
/// where it takes nothing. The bytes are copied; what does not fit into 1024 is cut. Arm it before the terminal is
/// taken. The calling thread gets an alternate stack, as in `qw_crash_cover_thread`.
void qw_crash_arm(const char *restore, size_t length, int tty, const struct termios *saved);

/// From now on, a crash also writes a report to the file `path`: version, signal, time, the sentence of a check that
/// failed, and the functions that were running; no text of the user's, and nothing from memory.
void qw_crash_report_to(const char *path, const char *version);

/// Keeps what is written to the standard error from the terminal, where that is what it is: a library's remark would
/// stand in the picture. Until `qw_errors_show`.
void qw_errors_hide(void);
void qw_errors_show(void);

/// Forgets all but the latest of what was kept from the terminal. It takes a megabyte at most without this, and no more
/// of it is kept then.
void qw_errors_trim(void);

/// Takes back `qw_crash_arm`: the terminal is as it was.
void qw_crash_disarm(void);

/// Gives the calling thread a stack of its own for the crash handler, so that running out of stack on it is caught
/// too. Nearly free where that has been done.
void qw_crash_cover_thread(void);

/// Catches `signal` from now on: each arrival puts one byte, the signal's number, into the descriptor that is returned,
/// which does not block and is the same for all signals. -1 where this fails.
int qw_signal_watch(int signal);

/// Gives `signal` the action back that it had before `qw_signal_watch`.
void qw_signal_unwatch(int signal);

/// Lets `signal` take its default action on this process, at once. Returns if that does not end it: after a stop, when
/// the process is continued. A plain `raise` is not enough, as Dispatch's threads, on which the main queue runs, block
/// most signals.
void qw_signal_default(int signal);

/// Stops the job that this process belongs to, as the terminal would for ^Z. Returns when it has been continued, or at
/// once where nobody could continue it. The system passes over the signal there.
void qw_stop_job(void);

/// Starts the shell command `script`, with `argument` as its `$1`, as the program that has the terminal: `input` and
/// `output` become its standard input and output; of other descriptors it gets the standard error alone. Until
/// `qw_foreground_end`, INT and QUIT, which the terminal sends to both, do nothing here. Returns the process, or -1.
/// One at a time.
int qw_foreground_start(const char *script, const char *argument, int input, int output);

/// Waits, as long as it takes, until such a process has ended. Its exit status, or 128 and the number of the signal
/// that ended it; -1 where that cannot be known. For any thread.
int qw_foreground_wait(int process);

/// Lets INT and QUIT do again what they did before.
void qw_foreground_end(void);

/// How large the terminal is. False where it does not say.
bool qw_window_size(int tty, int *rows, int *columns);

/// Has a terminal hand over every byte at once and as it is, unechoed, `^C` and `^Z` among them; `saved` is what it was
/// set to.
void qw_terminal_raw(int tty, const struct termios *saved);

/// The same terminal, for writing that does not wait. The descriptor that is given keeps waiting, as others share it.
/// -1 where it cannot be opened again.
int qw_reopen_terminal(int tty);

/// A file in memory, or where there is none, one that has no name.
int qw_memory_file(void);

/// Starts a program that goes on by itself, whatever becomes of this one: in a session without a terminal, its input,
/// output and errors nowhere, nobody's zombie. `arguments` ends with NULL; its first is the program, looked for in
/// PATH. 0, or the errno of what failed.
int qw_start_detached(char *const arguments[]);

/// Makes a second process of this one, as fork does. To be called while there is one thread. Returns 0 in the new
/// process, its number in the old one, and -1 where there can be none.
int qw_fork(void);

/// Runs Swift's tasks on one private serial queue in place of the global pool, whose manager wakes an idle process once
/// a second for ever. To be called before the first task. On systems other than Linux this does nothing.
void qw_install_quiet_executor(void);

/// The same, but of the tasks that wait any may be next, as `seed` says: what depends on their order shows.
void qw_install_shuffling_executor(uint64_t seed);

#ifdef __cplusplus
}
#endif
