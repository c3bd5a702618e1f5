/// Widths of characters in columns, the same for layout and ncurses.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The width of a character in columns: 0 (drawn on the character before), 1 or 2; -1 for control characters and those
/// that the C library doesn't know. Characters that Unicode calls ambiguous have `ambiguous_columns`, 1 or 2; on
/// systems other than Linux they keep the C library's width. Chooses a Unicode locale if the current one isn't one.
int qw_width(uint32_t scalar, int ambiguous_columns);

/// Makes the `wcwidth` that ncurses calls return 1 or 2 columns for ambiguous characters. For the thread that draws
/// with ncurses.
void qw_set_ambiguous_columns(int columns);

#ifdef __cplusplus
}
#endif
