#define _GNU_SOURCE
#include "CProcess.h"

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

int qw_memory_file(void) {
#if defined(__linux__)
  int descriptor = memfd_create("qwinkle", MFD_CLOEXEC);
  if (descriptor >= 0) return descriptor;
#endif
  FILE *file = tmpfile();
  if (!file) return -1;
  int copy = dup(fileno(file));
  fclose(file);
  return copy;
}
