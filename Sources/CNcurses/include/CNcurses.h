/// The parts of ncursesw that Qwinkle uses, without the macros, globals and character types that Swift can't import.
///
/// A process can have only one screen open at a time. The functions are not thread-safe.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Attributes of a cell, as bits.
enum {
  QW_BOLD = 1,
  QW_DIM = 2,
  QW_ITALIC = 4,
  QW_UNDERLINE = 8,
  QW_REVERSE = 16,
};

/// An open screen.
typedef struct qw_screen qw_screen;

/// A cell that ncurses believes the terminal shows.
typedef struct {
  /// One character and its combining marks, 0-terminated.
  uint32_t scalars[8];
  /// 1 or 2.
  int columns;
  uint32_t attributes;
  /// Colour numbers; -1 is the terminal's default.
  int foreground;
  int background;
} qw_cell;

/// Selects a Unicode locale: the one from the environment, or C.UTF-8 if that isn't UTF-8. Changes only LC_CTYPE, not
/// the format of numbers or messages. Returns false if neither is available.
bool qw_use_unicode(void);

/// Whether this library includes a description of the terminal type `term`.
bool qw_has_description(const char *term);

/// Opens a screen for a terminal of type `term` and switches to its alternate screen. Output is written to `file`,
/// which isn't a terminal; the caller may close it afterwards. The caller configures the line (raw mode, echo). Returns
/// null if the type is unknown or doesn't position its cursor as in ECMA-48, or if a screen is already open.
///
/// With `prefers_built_in`, a built-in description takes precedence over the host's.
qw_screen *qw_open(const char *term, int file, bool prefers_built_in);

/// Whether the host has a usable description of the terminal type `term`. Returns false while a screen is open.
bool qw_knows(const char *term);

/// The colours in a terminal's description. `count` is 0 or -1 for a monochrome terminal.
typedef struct {
  int count;
  bool is_direct;
  bool announces_direct;
  bool are_numbered;
} qw_colors;

/// Reads the colours of the host's description of `term`. Returns false if the host has no description,
/// or while a screen is open.
bool qw_read_colors(const char *term, qw_colors *colors);

/// Restores the terminal and closes the screen.
void qw_close(qw_screen *screen);

/// Restores the terminal until `qw_resume`.
void qw_suspend(qw_screen *screen);

/// Sets up the terminal again and redraws everything.
void qw_resume(qw_screen *screen);

/// Writes the sequence that restores a terminal of this type after a crash. Returns its length, at most `capacity`.
size_t qw_restore_string(char *buffer, size_t capacity);

int qw_rows(void);
int qw_columns(void);

/// Sets the terminal's size. The screen is blank afterwards.
void qw_resize(const qw_screen *screen, int rows, int columns);

/// Enables colours. Returns the number of colours, or 0 if the terminal has none.
int qw_start_color(void);

/// Whether colour -1 can be used for the terminal's default foreground and background.
bool qw_has_default_colors(void);

/// Whether colour numbers are RGB values.
bool qw_has_direct_color(void);

/// Whether the description says that the terminal shows 24-bit colours, although it may number its colours otherwise.
bool qw_announces_direct_color(void);

/// Whether ncurses selects each colour above 15 by its number only, as xterm does: text by 38;5, background by 48;5.
bool qw_numbers_colors(void);

/// Returns the limit of colour pair numbers. Pairs are numbered from 1 and must be less than the limit.
int qw_pair_limit(void);

bool qw_define_pair(int pair, int foreground, int background);

/// Draws one UTF-8 cluster, `columns` wide, in the next frame. Control characters, and clusters that ncurses would draw
/// with another width, become U+FFFD, or `?` if U+FFFD is wide. If `mark` isn't 0, it follows the cluster as a mark
/// without width.
void qw_put(int row, int column, const uint8_t *text, size_t length, int columns, uint32_t mark, unsigned attributes,
            int pair);

/// Writes characters of one column into adjacent cells of a row. `count` is at least 1. If `mark` isn't 0, it follows
/// each character as a mark without width.
void qw_put_run(int row, int column, const uint32_t *characters, size_t count, uint32_t mark, unsigned attributes,
                int pair);

/// Sends the changes since the last frame and positions the cursor. A negative `row` hides it.
void qw_update(qw_screen *screen, int row, int column);

/// Redraws the whole row in the next update.
void qw_forget_row(int row);

/// Whether ncurses may move unchanged cells by scrolling, inserting and deleting.
void qw_move_cells(bool may);

/// Redraws the whole screen in the next update.
void qw_forget(void);

/// Reads a cell that ncurses believes the terminal shows. Returns false on failure.
bool qw_read_cell(int row, int column, qw_cell *cell);

/// Returns a string capability of the terminal, such as the bytes of a key, or null if it has none.
const char *qw_capability(const char *name);

#ifdef __cplusplus
}
#endif
