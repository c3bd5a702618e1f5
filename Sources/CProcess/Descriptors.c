#define _GNU_SOURCE
#include "CProcess.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

bool qw_window_size(int tty, int *rows, int *columns) {
  struct winsize size;
  if (ioctl(tty, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return false;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return true;
}

bool qw_cell_size(int tty, int *width, int *height) {
  struct winsize size;
  if (ioctl(tty, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return false;
  *width = size.ws_xpixel / size.ws_col;
  *height = size.ws_ypixel / size.ws_row;
  return *width > 0 && *height > 0;
}

void qw_terminal_raw(int tty, const struct termios *saved) {
  struct termios raw = *saved;
  raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INLCR | IGNCR | ISTRIP | INPCK | IXON | PARMRK);
  raw.c_oflag &= ~(tcflag_t)(ONLCR | OCRNL | ONOCR | ONLRET);
#if defined(XTABS)
  raw.c_oflag &= ~(tcflag_t)XTABS;
#endif
  raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  // Don't drain first: a terminal that has stopped accepting output would block here.
  tcsetattr(tty, TCSANOW, &raw);
}

int qw_reopen_terminal(int tty) {
  char path[256];
  if (ttyname_r(tty, path, sizeof path) != 0) return -1;
  return open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

bool qw_pipe(int ends[2]) {
  // Set the flag atomically, so that a program started by another thread at this moment doesn't inherit the pipe.
  return pipe2(ends, O_CLOEXEC) == 0;
}

int qw_memory_file(void) {
  int descriptor = memfd_create("qwinkle", MFD_CLOEXEC);
  if (descriptor >= 0) return descriptor;
  FILE *file = tmpfile();
  if (!file) return -1;
  int copy = dup(fileno(file));
  fclose(file);
  return copy;
}
