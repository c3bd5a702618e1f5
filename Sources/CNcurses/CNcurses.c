#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE_EXTENDED 1

#include "CNcurses.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

#include "Descriptions.h"

// term.h defines these as macros.
#undef lines
#undef columns

struct qw_screen {
  SCREEN *screen;
  FILE *output;
  FILE *input;
  bool cursor_shown;
};

extern char **environ;

static const wchar_t replacement = 0xFFFD;
static bool is_open;

bool qw_use_unicode(void) {
  setlocale(LC_CTYPE, "");
  if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0) return true;
  return setlocale(LC_CTYPE, "C.UTF-8") || setlocale(LC_CTYPE, "en_US.UTF-8") || setlocale(LC_CTYPE, "UTF-8");
}

const char *qw_capability(const char *name) {
  const char *value = tigetstr(name);
  return value == (const char *)-1 || value == NULL || *value == 0 ? NULL : value;
}

static void close_files(qw_screen *screen) {
  if (screen->output) fclose(screen->output);
  if (screen->input) fclose(screen->input);
  free(screen);
}

static FILE *reopen(int descriptor, const char *mode) {
  int copy = dup(descriptor);
  if (copy < 0) return NULL;
  FILE *file = fdopen(copy, mode);
  if (!file) close(copy);
  return file;
}

/// Appends a capability without its padding, such as `$<5>`.
static size_t append(char *buffer, size_t capacity, size_t length, const char *text) {
  for (; text && *text; text++) {
    if (text[0] == '$' && text[1] == '<') {
      const char *end = strchr(text, '>');
      if (!end) break;
      text = end;
    } else if (length < capacity) {
      buffer[length++] = *text;
    }
  }
  return length;
}

/// Sends a capability that ncurses doesn't send itself. The buffer of ncurses is always empty when this is called.
static void send(const qw_screen *screen, const char *capability) {
  char bytes[256];
  size_t length = append(bytes, sizeof bytes, 0, capability);
  const char *next = bytes;
  while (length > 0) {
    ssize_t written = write(fileno(screen->output), next, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    next += written;
    length -= (size_t)written;
  }
}

// ncurses enables keypad mode, which the key descriptions assume, only when it reads the keyboard itself.
static void take(const qw_screen *screen) { send(screen, qw_capability("smkx")); }

static void give_back(const qw_screen *screen) {
  send(screen, qw_capability("rmkx"));
  endwin();
}

/// Whether the terminal positions the cursor with a CSI sequence (ECMA-48). The escape sequence filter allows no other.
static bool is_usable(void) {
  const char *place = qw_capability("cup");
  return place && strncmp(place, "\033[", 2) == 0;
}

bool qw_knows(const char *term) {
  int answer = 0;
  if (is_open || setupterm(term, STDOUT_FILENO, &answer) != OK) return false;
  bool usable = is_usable();
  del_curterm(cur_term);
  return usable;
}

bool qw_read_colors(const char *term, qw_colors *colors) {
  int answer = 0;
  if (is_open || setupterm(term, STDOUT_FILENO, &answer) != OK) return false;
  colors->count = tigetnum("colors");
  colors->is_direct = qw_has_direct_color();
  colors->announces_direct = qw_announces_direct_color();
  colors->are_numbered = qw_numbers_colors();
  del_curterm(cur_term);
  return true;
}

static const char *built_in_description(const char *term) {
  for (size_t index = 0; index < sizeof descriptions / sizeof *descriptions; index++) {
    if (strcmp(descriptions[index].term, term) == 0) return descriptions[index].variable;
  }
  return NULL;
}

bool qw_has_description(const char *term) { return built_in_description(term) != NULL; }

static bool has_prefix(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/// Opens a screen with `description`, or with the host's terminfo if it is null. During the call, ncurses sees an
/// environment with the description instead of the host's ncurses settings. setenv would free the list of variables
/// while other threads may read it. Here, every list and its strings remain valid.
static SCREEN *new_screen(const char *term, const char *description, const qw_screen *screen) {
  static char **variables;
  static size_t capacity;
  if (!description) return newterm(term, screen->output, screen->input);
  char **host = environ;
  size_t count = 0;
  while (host && host[count]) count++;
  if (capacity < count + 2) {
    char **larger = calloc(count + 2, sizeof *larger);
    if (!larger) return NULL;
    variables = larger;
    capacity = count + 2;
  }
  size_t next = 0;
  variables[next++] = (char *)description;
  for (size_t index = 0; index < count; index++) {
    // Drops TERMINFO and TERMINFO_DIRS, and NCURSES_NO_UTF8_ACS and the like, which change the output.
    if (!has_prefix(host[index], "TERMINFO") && !has_prefix(host[index], "NCURSES_")) variables[next++] = host[index];
  }
  variables[next] = NULL;
  environ = variables;
  SCREEN *opened = newterm(term, screen->output, screen->input);
  environ = host;
  return opened;
}

qw_screen *qw_open(const char *term, int file, bool prefers_built_in) {
  if (is_open) return NULL;
  qw_screen *screen = calloc(1, sizeof *screen);
  if (!screen) return NULL;
  screen->output = reopen(file, "w");
  screen->input = reopen(file, "r");
  const char *description = prefers_built_in ? built_in_description(term) : NULL;
  // The caller sets the size later. LINES and COLUMNS may describe another terminal, so ignore them.
  use_env(FALSE);
  use_tioctl(FALSE);
  if (screen->output && screen->input) screen->screen = new_screen(term, description, screen);
  if (!screen->screen && screen->output && screen->input) {
    // newterm fails if the description has no size, unless it may query the size elsewhere.
    unsetenv("LINES");
    unsetenv("COLUMNS");
    use_env(TRUE);
    screen->screen = new_screen(term, description, screen);
  }
  if (!screen->screen) {
    close_files(screen);
    return NULL;
  }
  set_term(screen->screen);
  if (!is_usable()) {
    endwin();
    delscreen(screen->screen);
    close_files(screen);
    return NULL;
  }
  raw();
  noecho();
  nonl();
  typeahead(-1);
  idlok(stdscr, TRUE);
  leaveok(stdscr, TRUE);
  scrollok(stdscr, FALSE);
  curs_set(0);
  // Until the first endwin, ncurses flushes its buffer at every cursor movement.
  endwin();
  refresh();
  take(screen);
  is_open = true;
  return screen;
}

void qw_close(qw_screen *screen) {
  if (!isendwin()) give_back(screen);
  delscreen(screen->screen);
  close_files(screen);
  is_open = false;
}

void qw_suspend(qw_screen *screen) {
  if (!isendwin()) give_back(screen);
}

void qw_resume(qw_screen *screen) {
  clearok(curscr, TRUE);
  doupdate();
  take(screen);
}

size_t qw_restore_string(char *buffer, size_t capacity) {
  size_t length = 0;
  if (qw_capability("csr")) length = append(buffer, capacity, length, tparm(tigetstr("csr"), 0, LINES - 1));
  length = append(buffer, capacity, length, qw_capability("sgr0"));
  length = append(buffer, capacity, length, qw_capability("cnorm"));
  length = append(buffer, capacity, length, qw_capability("rmkx"));
  length = append(buffer, capacity, length, qw_capability("rmcup"));
  return append(buffer, capacity, length, "\r\n");
}

int qw_rows(void) { return LINES; }
int qw_columns(void) { return COLS; }

void qw_resize(const qw_screen *screen, int rows, int columns) {
  resizeterm(rows < 1 ? 1 : rows, columns < 1 ? 1 : columns);
  // The scrolling region still has the previous size, initially the description's. An image that extends below it would
  // scroll the screen.
  if (qw_capability("csr")) send(screen, tparm(tigetstr("csr"), 0, LINES - 1));
  werase(stdscr);
  clearok(curscr, TRUE);
}

int qw_start_color(void) {
  if (!has_colors() || start_color() == ERR) return 0;
  return COLORS;
}

bool qw_has_default_colors(void) { return use_default_colors() == OK; }
bool qw_has_direct_color(void) { return tigetflag("RGB") > 0; }

bool qw_announces_direct_color(void) {
  return tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || qw_capability("RGB") || tigetflag("Tc") > 0;
}

/// Whether a capability selects colour 200 by `sequence`, or by the same with colons, as foot does.
static bool sends(const char *name, const char *sequence) {
  const char *capability = qw_capability(name);
  if (!capability) return false;
  const char *sent = tparm(capability, 200);
  if (!sent || strlen(sent) != strlen(sequence)) return false;
  for (; *sent; sent++, sequence++) {
    if (*sent != *sequence && !(*sent == ':' && *sequence == ';')) return false;
  }
  return true;
}

bool qw_numbers_colors(void) {
  // ncurses exchanges the colours of reversed text if the terminal can't combine both.
  const int reverse = 4;
  int excluded = tigetnum("ncv");
  if (excluded > 0 && excluded & reverse) return false;
  return sends("setaf", "\033[38;5;200m") && sends("setab", "\033[48;5;200m");
}

int qw_pair_limit(void) { return COLOR_PAIRS; }

bool qw_define_pair(int pair, int foreground, int background) {
  return init_extended_pair(pair, foreground, background) == OK;
}

static attr_t native(unsigned attributes) {
  attr_t value = A_NORMAL;
  if (attributes & QW_BOLD) value |= A_BOLD;
  if (attributes & QW_DIM) value |= A_DIM;
  if (attributes & QW_ITALIC) value |= A_ITALIC;
  if (attributes & QW_UNDERLINE) value |= A_UNDERLINE;
  if (attributes & QW_REVERSE) value |= A_REVERSE;
  return value;
}

static unsigned portable(attr_t attributes) {
  unsigned value = 0;
  if (attributes & A_BOLD) value |= QW_BOLD;
  if (attributes & A_DIM) value |= QW_DIM;
  if (attributes & A_ITALIC) value |= QW_ITALIC;
  if (attributes & A_UNDERLINE) value |= QW_UNDERLINE;
  if (attributes & A_REVERSE) value |= QW_REVERSE;
  return value;
}

/// Decodes up to `capacity` characters of UTF-8. Returns their number, or 0 if the text is malformed or too long.
static int decode(const uint8_t *text, size_t length, wchar_t *characters, int capacity) {
  int count = 0;
  size_t index = 0;
  while (index < length) {
    if (count == capacity) return 0;
    uint8_t first = text[index++];
    int more = first < 0x80 ? 0 : first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : -1;
    if (more < 0 || index + (size_t)more > length) return 0;
    wchar_t character = more == 0 ? first : first & (0x3F >> more);
    for (; more > 0; more--) {
      if ((text[index] & 0xC0) != 0x80) return 0;
      character = (character << 6) | (text[index++] & 0x3F);
    }
    characters[count++] = character;
  }
  return count;
}

static bool is_drawable(const wchar_t *characters, int count, int columns) {
  if (count == 0 || wcwidth(characters[0]) != columns) return false;
  for (int index = 1; index < count; index++) {
    if (wcwidth(characters[index]) != 0) return false;
  }
  return true;
}

static void put(int row, int column, const wchar_t *characters, attr_t attributes, int pair) {
  cchar_t cell;
  // In the last cell of the screen this returns ERR because the cursor can't advance, but the cell is drawn.
  if (setcchar(&cell, characters, attributes, (short)(pair > 32767 ? 0 : pair), &pair) == OK) {
    mvwadd_wch(stdscr, row, column, &cell);
  }
}

void qw_put(int row, int column, const uint8_t *text, size_t length, int columns, uint32_t mark, unsigned attributes,
            int pair) {
  wchar_t characters[CCHARW_MAX + 1];
  attr_t look = native(attributes);
  int count = decode(text, length, characters, CCHARW_MAX);
  if (is_drawable(characters, count, columns)) {
    if (mark && count < CCHARW_MAX) characters[count++] = (wchar_t)mark;
    characters[count] = 0;
    put(row, column, characters, look, pair);
    return;
  }
  // On a terminal that draws ambiguous characters wide, U+FFFD would overlap the next cell.
  wchar_t stand_in[2] = {wcwidth(replacement) == 1 ? replacement : L'?', 0};
  put(row, column, stand_in, look, pair);
  stand_in[0] = ' ';
  for (int next = 1; next < columns; next++) put(row, column + next, stand_in, look, pair);
}

void qw_put_run(int row, int column, const uint32_t *characters, size_t count, uint32_t mark, unsigned attributes,
                int pair) {
  cchar_t cell;
  wchar_t first[3] = {(wchar_t)characters[0], (wchar_t)mark, 0};
  if (setcchar(&cell, first, native(attributes), (short)(pair > 32767 ? 0 : pair), &pair) != OK) return;
  if (wmove(stdscr, row, column) == ERR) return;
  for (size_t index = 0; index < count; index++) {
    cell.chars[0] = (wchar_t)characters[index];
    // wadd_wchnstr would be faster, but it blanks a wide character to the left if the run begins in a column that
    // another wide character had before.
    wadd_wch(stdscr, &cell);
  }
}

void qw_update(qw_screen *screen, int row, int column) {
  bool shows_cursor = row >= 0;
  bool changes = shows_cursor != screen->cursor_shown;
  screen->cursor_shown = shows_cursor;
  leaveok(stdscr, !shows_cursor);
  if (shows_cursor) wmove(stdscr, row, column);
  // curs_set writes immediately, so call it only on a change: hide before drawing, show after.
  if (changes && !shows_cursor) curs_set(0);
  wnoutrefresh(stdscr);
  doupdate();
  if (changes && shows_cursor) curs_set(1);
}

void qw_forget_row(int row) { wredrawln(stdscr, row, 1); }

void qw_move_cells(bool may) {
  idlok(stdscr, may);
  idcok(stdscr, may);
}

void qw_forget(void) { clearok(curscr, TRUE); }

bool qw_read_cell(int row, int column, qw_cell *cell) {
  cchar_t native_cell;
  wchar_t characters[CCHARW_MAX + 1] = {0};
  attr_t attributes = 0;
  short short_pair = 0;
  int pair = 0;
  memset(cell, 0, sizeof *cell);
  if (mvwin_wch(curscr, row, column, &native_cell) == ERR) return false;
  if (getcchar(&native_cell, characters, &attributes, &short_pair, &pair) == ERR) return false;
  for (int index = 0; index < CCHARW_MAX && characters[index]; index++) {
    cell->scalars[index] = (uint32_t)characters[index];
  }
  cell->columns = wcwidth(characters[0]) == 2 ? 2 : 1;
  cell->attributes = portable(attributes);
  cell->foreground = cell->background = -1;
  if (pair > 0) extended_pair_content(pair, &cell->foreground, &cell->background);
  return true;
}
