/// How many columns a character takes: the same answer for layout and for ncurses.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The columns of a character: 0 (drawn on the character before), 1 or 2; -1 for controls and for what the C library does
/// not know. Those that Unicode calls ambiguous have `ambiguous_columns`, 1 or 2; on systems other than Linux they keep the
/// width that the C library gives them. Chooses a locale with Unicode where the current one has none.
int qw_width(uint32_t scalar, int ambiguous_columns);

/// Has the `wcwidth` that ncurses calls give ambiguous characters 1 or 2 columns. For the thread that draws with ncurses.
void qw_set_ambiguous_columns(int columns);

#ifdef __cplusplus
}
#endif
