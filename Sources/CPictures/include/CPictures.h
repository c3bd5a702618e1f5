/// Pictures by libgd and libchafa, opened when asked for, and what confines the process that decodes them. None of it
/// needs the libraries' headers: the few functions used are declared here.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { QW_PICTURE_PNG = 1, QW_PICTURE_JPEG = 2, QW_PICTURE_GIF = 3, QW_PICTURE_WEBP = 4, QW_PICTURE_AVIF = 5 };

enum { QW_PICTURE_DECODES = 1, QW_PICTURE_DRAWS = 2 };

/// Opens the libraries. Returns which of them are there: QW_PICTURE_DECODES | QW_PICTURE_DRAWS. For one thread.
int qw_picture_open(void);

enum { QW_CONFINED_BY_LIMITS = 1, QW_CONFINED_BY_FILTER = 2 };

/// Confines this process for good: no more than `more` bytes of address space beyond what it has, no new files,
/// processes, sockets or executable memory, no core file. Descriptors from 3 on are closed. Returns what could be had:
/// QW_CONFINED_BY_LIMITS | QW_CONFINED_BY_FILTER.
int qw_picture_confine(size_t more);

/// Ends the process when it has used so many more seconds of processor time; 0: no more than the limit of its life.
void qw_picture_allow_seconds(int seconds);

/// Decodes a picture. Returns NULL if it can't.
void *qw_picture_decode(int format, const uint8_t *bytes, size_t count, int *width, int *height);

/// Forgets a decoded picture.
void qw_picture_release(void *picture);

/// Scales a part of a picture to `width` by `height` pixels, four bytes each: red, green, blue, alpha. Each pixel is
/// the average of what it covers.
void qw_picture_scale(
    void *picture, int left, int top, int from_width, int from_height, int width, int height, uint8_t *pixels);

/// Draws pixels with characters. `colors` is 16, 256 or 1 << 24; `symbols` are chafa's names of character groups. For
/// each cell, row by row, its character, and the colours of character and background as 0xRRGGBB, or -1 for none.
/// Returns 0, or -1 if it can't.
int qw_picture_draw(
    const uint8_t *pixels, int width, int height, int columns, int rows, int colors, const char *symbols,
    uint32_t *characters, int32_t *foregrounds, int32_t *backgrounds);

/// Compresses pixels as a PNG. Returns its bytes, to be given to qw_picture_free, or NULL if it can't.
uint8_t *qw_picture_png(const uint8_t *pixels, int width, int height, int *count);

void qw_picture_free(uint8_t *bytes);

/// Draws pixels as sixels, in at most 256 colours: `width` by `height` pixels of four bytes for `columns` by `rows`
/// cells. Returns a DCS string and its length, to be given to qw_picture_free_text, or NULL if it can't.
char *qw_picture_sixel(const uint8_t *pixels, int width, int height, int columns, int rows, int *count);

void qw_picture_free_text(char *text);

/// What the system answers this process when it opens a file, makes a socket, starts a process, and asks for more
/// memory than it may have: the errors' numbers, 0 where it was allowed.
void qw_picture_probe(int32_t errors[4]);

#ifdef __cplusplus
}
#endif
