/// What Qwinkle needs from ncursesw, without its macros, globals and character types, which Swift cannot see.
///
/// One screen may be open in a process at a time; whoever calls these functions does so one call after another.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The looks of a cell, as bits.
enum {
  QW_BOLD = 1,
  QW_DIM = 2,
  QW_ITALIC = 4,
  QW_UNDERLINE = 8,
  QW_REVERSE = 16,
};

/// A screen that is open.
typedef struct qw_screen qw_screen;

/// A cell as ncurses believes the terminal shows it.
typedef struct {
  /// One character and its marks, ended by 0.
  uint32_t scalars[8];
  /// 1 or 2.
  int columns;
  uint32_t attributes;
  /// Colour numbers; -1 is the terminal's own.
  int foreground;
  int background;
} qw_cell;

/// Makes characters Unicode: the locale of the environment, or C.UTF-8 where that is not UTF-8. Only the kind of
/// characters changes; numbers and messages stay as they are. False where neither can be had.
bool qw_use_unicode(void);

/// Whether a description of terminals of kind `term` is built in.
bool qw_has_description(const char *term);

/// Takes a terminal of kind `term` over, on its alternate screen. What is to be sent to it is written to `file`, which
/// is no terminal and need not live on; settings of the line (raw mode, echo) are the caller's. Null where this kind is
/// not known here or does not move its cursor as ECMA-48 says, and where a screen is open already.
///
/// With `prefers_built_in`, a built-in description takes precedence over the host's.
qw_screen *qw_open(const char *term, int file, bool prefers_built_in);

/// Whether a terminal of kind `term` is known here and can be taken over. To be asked while no screen is open.
bool qw_knows(const char *term);

/// Gives the terminal back for good.
void qw_close(qw_screen *screen);

/// Gives the terminal back for a while.
void qw_suspend(qw_screen *screen);

/// Takes the terminal again and paints everything anew.
void qw_resume(qw_screen *screen);

/// What to write to a terminal of this kind to give it back when nothing else works. Returns the length, at most
/// `capacity`.
size_t qw_restore_string(char *buffer, size_t capacity);

int qw_rows(void);
int qw_columns(void);

/// Tells ncurses that the terminal has another size now. The screen is blank afterwards.
void qw_resize(const qw_screen *screen, int rows, int columns);

/// Turns colours on. Returns how many there are: 0 where there are none.
int qw_start_color(void);

/// Whether the terminal's own foreground and background may be used as colour -1.
bool qw_has_default_colors(void);

/// Whether a colour's number is its red, green and blue.
bool qw_has_direct_color(void);

/// How many pairs of colours there can be; pairs are numbered from 1.
int qw_pair_limit(void);

bool qw_define_pair(int pair, int foreground, int background);

/// Puts one cluster of UTF-8 that takes `columns` columns on the next picture. What ncurses would not draw in so many
/// columns, controls among it, becomes U+FFFD, or `?` where that has no room.
void qw_put(int row, int column, const uint8_t *text, size_t length, int columns, unsigned attributes, int pair);

/// Sends what differs between the last picture and the next, and places the cursor; a negative `row` hides it.
void qw_update(qw_screen *screen, int row, int column);

/// Makes the next update send a whole row.
void qw_forget_row(int row);

/// Whether cells that stay may be moved on the screen, by scrolling, inserting and deleting.
void qw_move_cells(bool may);

/// Makes the next update send the whole picture.
void qw_forget(void);

/// Reads back what ncurses believes is shown.
bool qw_read_cell(int row, int column, qw_cell *cell);

/// A string of the terminal's description, such as the bytes of a key; null where it has none.
const char *qw_capability(const char *name);

#ifdef __cplusplus
}
#endif
