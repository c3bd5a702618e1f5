/// Character widths in columns, the same for layout and ncurses.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the width of a character in columns: 0 for combining characters, 1 or 2, or -1 for control characters and
/// characters unknown to the C library. Characters of ambiguous width have `ambiguous_columns`, 1 or 2. Selects a
/// Unicode locale unless the current one is Unicode.
int qw_width(uint32_t scalar, int ambiguous_columns);

/// Private-use characters that mark the cells of links. ncurses gives them no columns, as combining characters.
#define QW_FIRST_LINK_MARK 0x108000
#define QW_LAST_LINK_MARK 0x1087FF

/// Sets the width of ambiguous characters, 1 or 2 columns, in the `wcwidth` that ncurses calls. Call it on the thread
/// that uses ncurses.
void qw_set_ambiguous_columns(int columns);

#ifdef __cplusplus
}
#endif
