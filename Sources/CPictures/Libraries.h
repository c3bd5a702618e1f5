// The libgd and libchafa functions that are used, declared as in their headers.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
  unsigned char **pixels;
  int sx;
  int sy;
} GDImage;

typedef GDImage *(*GDReader)(int size, void *data);

struct qw_gd {
  GDReader png, jpeg, gif, webp, avif;
  void (*destroy)(GDImage *);
  int (*pixel)(GDImage *, int x, int y);
  GDImage *(*create)(int width, int height);
  void (*blend)(GDImage *, int blends);
  void (*save_alpha)(GDImage *, int saves);
  void (*set_pixel)(GDImage *, int x, int y, int color);
  void *(*write_png)(GDImage *, int *size);
  void (*release)(void *);
};

// The beginning of GLib's GString.
typedef struct {
  char *text;
  size_t count;
} GText;

struct qw_chafa {
  void *(*new_symbols)(void);
  int (*add_symbols)(void *map, const char *selectors, void **error);
  void (*release_symbols)(void *map);
  void *(*new_config)(void);
  void (*release_config)(void *config);
  void (*set_geometry)(void *config, int columns, int rows);
  void (*set_mode)(void *config, int mode);
  void (*set_symbols)(void *config, const void *map);
  void (*set_work)(void *config, float factor);
  void *(*new_canvas)(const void *config);
  void (*release_canvas)(void *canvas);
  void (*draw)(void *canvas, int type, const uint8_t *pixels, int width, int height, int stride);
  uint32_t (*character)(void *canvas, int column, int row);
  void (*colors)(void *canvas, int column, int row, int *foreground, int *background);
  // For sixels. NULL in old versions.
  void (*set_cell)(void *config, int width, int height);
  void (*set_pixels)(void *config, int mode);
  GText *(*print)(void *canvas, void *terminal);
  void *(*terminals)(void);
  void *(*terminal)(void *terminals);
  void (*release_terminal)(void *terminal);
  char *(*free_text)(GText *, int frees_all);
};

extern struct qw_gd qw_gd;
extern struct qw_chafa qw_chafa;
