/// Decodes and draws pictures with libgd and libchafa, which are loaded on demand, and confines the process that does
/// so. Declares the few functions that it uses, so the libraries' headers aren't needed.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { QW_PICTURE_PNG = 1, QW_PICTURE_JPEG = 2, QW_PICTURE_GIF = 3, QW_PICTURE_WEBP = 4, QW_PICTURE_AVIF = 5 };

enum { QW_PICTURE_DECODES = 1, QW_PICTURE_DRAWS = 2 };

/// Loads the libraries. Returns the available operations: QW_PICTURE_DECODES | QW_PICTURE_DRAWS. Not thread-safe.
int qw_picture_open(void);

enum { QW_CONFINED_BY_LIMITS = 1, QW_CONFINED_BY_FILTER = 2 };

/// Confines this process permanently: at most `more` additional bytes of address space, no new files, processes,
/// sockets or executable memory, and no core file. Closes descriptors from 3 on. Returns the measures that took effect:
/// QW_CONFINED_BY_LIMITS | QW_CONFINED_BY_FILTER.
int qw_picture_confine(size_t more);

/// Terminates the process with SIGPROF after another `seconds` of processor time. 0 removes this limit, but not the one
/// on the total.
void qw_picture_allow_seconds(int seconds);

/// Decodes a picture. Returns NULL on failure.
void *qw_picture_decode(int format, const uint8_t *bytes, size_t count, int *width, int *height);

/// Releases a decoded picture.
void qw_picture_release(void *picture);

/// Scales a part of a picture to `width` by `height` pixels of four bytes each: red, green, blue, alpha. Each pixel is
/// the average of the pixels it covers.
void qw_picture_scale(
    void *picture, int left, int top, int from_width, int from_height, int width, int height, uint8_t *pixels);

/// Draws pixels with characters. `colors` is 16, 256 or 1 << 24; `symbols` are chafa's names of character groups.
/// Writes a character for each cell, row by row, and its foreground and background colours as 0xRRGGBB, or -1 for none.
/// Returns 0, or -1 on failure.
int qw_picture_draw(
    const uint8_t *pixels, int width, int height, int columns, int rows, int colors, const char *symbols,
    uint32_t *characters, int32_t *foregrounds, int32_t *backgrounds);

/// Encodes pixels as a PNG. Returns its bytes, which the caller frees with qw_picture_free, or NULL on failure.
uint8_t *qw_picture_png(const uint8_t *pixels, int width, int height, int *count);

void qw_picture_free(uint8_t *bytes);

/// Draws pixels as sixels in at most 256 colours: `width` by `height` pixels of four bytes, for `columns` by `rows`
/// cells. Returns a DCS string and its length, or NULL on failure. The caller frees the string with
/// qw_picture_free_text.
char *qw_picture_sixel(const uint8_t *pixels, int width, int height, int columns, int rows, int *count);

void qw_picture_free_text(char *text);

/// Tests the confinement: opens a file, creates a socket, forks, and allocates more memory than allowed. Writes each
/// attempt's errno, or 0 if it succeeded.
void qw_picture_probe(int32_t errors[4]);

#ifdef __cplusplus
}
#endif
