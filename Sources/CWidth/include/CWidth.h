/// How many columns a character takes: the same answer for layout and for ncurses.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The columns of a character as `wcwidth` counts them: 0 (drawn on the character before), 1 or 2; -1 for controls and
/// for what the C library does not know. Chooses a locale with Unicode where the current one has none.
int qw_width(uint32_t scalar);

/// Sets the width of the characters that Unicode calls ambiguous, 1 or 2 columns, for `wcwidth` in the whole program.
/// On systems other than Linux they keep the width that the C library gives them.
void qw_set_ambiguous_columns(int columns);

#ifdef __cplusplus
}
#endif
