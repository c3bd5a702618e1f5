#include "CPictures.h"
#include "Libraries.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct qw_gd qw_gd;
struct qw_chafa qw_chafa;

static int gd_is_there, chafa_is_there;

static void say_nothing(int priority, const char *format, va_list arguments) {}

#define LOOK_UP(target, library, name) (*(void **)&(target) = dlsym(library, name))

static int open_gd(void) {
  void *gd = dlopen("libgd.so.3", RTLD_NOW | RTLD_LOCAL);
  if (gd == NULL) return 0;
  LOOK_UP(qw_gd.png, gd, "gdImageCreateFromPngPtr");
  LOOK_UP(qw_gd.jpeg, gd, "gdImageCreateFromJpegPtr");
  LOOK_UP(qw_gd.gif, gd, "gdImageCreateFromGifPtr");
  LOOK_UP(qw_gd.webp, gd, "gdImageCreateFromWebpPtr");
  LOOK_UP(qw_gd.avif, gd, "gdImageCreateFromAvifPtr");
  LOOK_UP(qw_gd.destroy, gd, "gdImageDestroy");
  LOOK_UP(qw_gd.pixel, gd, "gdImageGetTrueColorPixel");
  LOOK_UP(qw_gd.create, gd, "gdImageCreateTrueColor");
  LOOK_UP(qw_gd.blend, gd, "gdImageAlphaBlending");
  LOOK_UP(qw_gd.save_alpha, gd, "gdImageSaveAlpha");
  LOOK_UP(qw_gd.set_pixel, gd, "gdImageSetPixel");
  LOOK_UP(qw_gd.write_png, gd, "gdImagePngPtr");
  LOOK_UP(qw_gd.release, gd, "gdFree");
  void (*set_error_method)(void (*)(int, const char *, va_list));
  LOOK_UP(set_error_method, gd, "gdSetErrorMethod");
  if (set_error_method != NULL) set_error_method(say_nothing);
  return qw_gd.destroy && qw_gd.pixel && qw_gd.create && qw_gd.blend && qw_gd.save_alpha && qw_gd.set_pixel &&
         qw_gd.write_png && qw_gd.release;
}

static int open_chafa(void) {
  void *chafa = dlopen("libchafa.so.0", RTLD_NOW | RTLD_LOCAL);
  if (chafa == NULL) return 0;
  LOOK_UP(qw_chafa.new_symbols, chafa, "chafa_symbol_map_new");
  LOOK_UP(qw_chafa.add_symbols, chafa, "chafa_symbol_map_apply_selectors");
  LOOK_UP(qw_chafa.release_symbols, chafa, "chafa_symbol_map_unref");
  LOOK_UP(qw_chafa.new_config, chafa, "chafa_canvas_config_new");
  LOOK_UP(qw_chafa.release_config, chafa, "chafa_canvas_config_unref");
  LOOK_UP(qw_chafa.set_geometry, chafa, "chafa_canvas_config_set_geometry");
  LOOK_UP(qw_chafa.set_mode, chafa, "chafa_canvas_config_set_canvas_mode");
  LOOK_UP(qw_chafa.set_symbols, chafa, "chafa_canvas_config_set_symbol_map");
  LOOK_UP(qw_chafa.set_work, chafa, "chafa_canvas_config_set_work_factor");
  LOOK_UP(qw_chafa.new_canvas, chafa, "chafa_canvas_new");
  LOOK_UP(qw_chafa.release_canvas, chafa, "chafa_canvas_unref");
  LOOK_UP(qw_chafa.draw, chafa, "chafa_canvas_draw_all_pixels");
  LOOK_UP(qw_chafa.character, chafa, "chafa_canvas_get_char_at");
  LOOK_UP(qw_chafa.colors, chafa, "chafa_canvas_get_colors_at");
  LOOK_UP(qw_chafa.set_cell, chafa, "chafa_canvas_config_set_cell_geometry");
  LOOK_UP(qw_chafa.set_pixels, chafa, "chafa_canvas_config_set_pixel_mode");
  LOOK_UP(qw_chafa.print, chafa, "chafa_canvas_print");
  LOOK_UP(qw_chafa.terminals, chafa, "chafa_term_db_get_default");
  LOOK_UP(qw_chafa.terminal, chafa, "chafa_term_db_get_fallback_info");
  LOOK_UP(qw_chafa.release_terminal, chafa, "chafa_term_info_unref");
  LOOK_UP(qw_chafa.free_text, chafa, "g_string_free");
  // The confined process can't start threads.
  void (*set_threads)(int);
  LOOK_UP(set_threads, chafa, "chafa_set_n_threads");
  if (set_threads != NULL) set_threads(1);
  return set_threads && qw_chafa.new_symbols && qw_chafa.add_symbols && qw_chafa.release_symbols &&
         qw_chafa.new_config && qw_chafa.release_config && qw_chafa.set_geometry && qw_chafa.set_mode &&
         qw_chafa.set_symbols && qw_chafa.set_work && qw_chafa.new_canvas && qw_chafa.release_canvas &&
         qw_chafa.draw && qw_chafa.character && qw_chafa.colors;
}

int qw_picture_open(void) {
  if (!gd_is_there) gd_is_there = open_gd();
  if (!chafa_is_there) chafa_is_there = open_chafa();
  return (gd_is_there ? QW_PICTURE_DECODES : 0) | (chafa_is_there ? QW_PICTURE_DRAWS : 0);
}

void *qw_picture_decode(int format, const uint8_t *bytes, size_t count, int *width, int *height) {
  if (!gd_is_there || count > INT32_MAX) return NULL;
  GDReader reader = NULL;
  switch (format) {
    case QW_PICTURE_PNG: reader = qw_gd.png; break;
    case QW_PICTURE_JPEG: reader = qw_gd.jpeg; break;
    case QW_PICTURE_GIF: reader = qw_gd.gif; break;
    case QW_PICTURE_WEBP: reader = qw_gd.webp; break;
    case QW_PICTURE_AVIF: reader = qw_gd.avif; break;
  }
  if (reader == NULL) return NULL;
  GDImage *image = reader((int)count, (void *)bytes);
  if (image == NULL) return NULL;
  *width = image->sx;
  *height = image->sy;
  return image;
}

void qw_picture_release(void *picture) {
  if (picture != NULL) qw_gd.destroy(picture);
}

void qw_picture_scale(
    void *picture, int left, int top, int from_width, int from_height, int width, int height, uint8_t *pixels) {
  for (int y = 0; y < height; y++) {
    int first_row = top + (int)((int64_t)y * from_height / height);
    int end_row = top + (int)((int64_t)(y + 1) * from_height / height);
    if (end_row <= first_row) end_row = first_row + 1;
    for (int x = 0; x < width; x++) {
      int first = left + (int)((int64_t)x * from_width / width);
      int end = left + (int)((int64_t)(x + 1) * from_width / width);
      if (end <= first) end = first + 1;
      // Colours are weighted by opacity. gd's alpha ranges from 0, opaque, to 127, transparent.
      uint64_t red = 0, green = 0, blue = 0, opacity = 0, count = 0;
      for (int row = first_row; row < end_row; row++) {
        for (int column = first; column < end; column++) {
          uint32_t color = (uint32_t)qw_gd.pixel(picture, column, row);
          uint32_t weight = 127 - (color >> 24 & 0x7F);
          red += (color >> 16 & 0xFF) * weight;
          green += (color >> 8 & 0xFF) * weight;
          blue += (color & 0xFF) * weight;
          opacity += weight;
          count++;
        }
      }
      uint8_t *pixel = pixels + 4 * ((size_t)y * width + x);
      pixel[0] = opacity ? (uint8_t)(red / opacity) : 0;
      pixel[1] = opacity ? (uint8_t)(green / opacity) : 0;
      pixel[2] = opacity ? (uint8_t)(blue / opacity) : 0;
      pixel[3] = (uint8_t)(opacity * 255 / (127 * count));
    }
  }
}

int qw_picture_draw(
    const uint8_t *pixels, int width, int height, int columns, int rows, int colors, const char *symbols,
    uint32_t *characters, int32_t *foregrounds, int32_t *backgrounds) {
  if (!chafa_is_there) return -1;
  // From ChafaCanvasMode and ChafaPixelType.
  enum { true_color = 0, indexed_240 = 2, indexed_16 = 3, rgba_unassociated = 4 };
  void *map = qw_chafa.new_symbols();
  if (!qw_chafa.add_symbols(map, symbols, NULL)) {
    qw_chafa.release_symbols(map);
    return -1;
  }
  void *config = qw_chafa.new_config();
  qw_chafa.set_geometry(config, columns, rows);
  // Avoid the lowest 16 of 256 colours, which users customize.
  qw_chafa.set_mode(config, colors >= 1 << 24 ? true_color : colors >= 256 ? indexed_240 : indexed_16);
  qw_chafa.set_symbols(config, map);
  qw_chafa.set_work(config, 0.5f);
  void *canvas = qw_chafa.new_canvas(config);
  qw_chafa.draw(canvas, rgba_unassociated, pixels, width, height, width * 4);
  for (int row = 0; row < rows; row++) {
    for (int column = 0; column < columns; column++) {
      size_t index = (size_t)row * columns + column;
      int foreground = -1, background = -1;
      characters[index] = qw_chafa.character(canvas, column, row);
      qw_chafa.colors(canvas, column, row, &foreground, &background);
      foregrounds[index] = foreground;
      backgrounds[index] = background;
    }
  }
  qw_chafa.release_canvas(canvas);
  qw_chafa.release_config(config);
  qw_chafa.release_symbols(map);
  return 0;
}

uint8_t *qw_picture_png(const uint8_t *pixels, int width, int height, int *count) {
  if (!gd_is_there) return NULL;
  GDImage *image = qw_gd.create(width, height);
  if (image == NULL) return NULL;
  qw_gd.blend(image, 0);
  qw_gd.save_alpha(image, 1);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      const uint8_t *pixel = pixels + 4 * ((size_t)y * width + x);
      int alpha = 127 - pixel[3] / 2;
      qw_gd.set_pixel(image, x, y, alpha << 24 | pixel[0] << 16 | pixel[1] << 8 | pixel[2]);
    }
  }
  uint8_t *bytes = qw_gd.write_png(image, count);
  qw_gd.destroy(image);
  return bytes;
}

void qw_picture_free(uint8_t *bytes) {
  if (bytes != NULL) qw_gd.release(bytes);
}

char *qw_picture_sixel(const uint8_t *pixels, int width, int height, int columns, int rows, int *count) {
  if (!chafa_is_there || !qw_chafa.set_cell || !qw_chafa.set_pixels || !qw_chafa.print || !qw_chafa.terminals ||
      !qw_chafa.terminal || !qw_chafa.release_terminal || !qw_chafa.free_text) {
    return NULL;
  }
  // From ChafaPixelMode, ChafaCanvasMode and ChafaPixelType.
  enum { sixels = 1, true_color = 0, rgba_unassociated = 4 };
  void *config = qw_chafa.new_config();
  qw_chafa.set_cell(config, width / columns, height / rows);
  qw_chafa.set_geometry(config, columns, rows);
  qw_chafa.set_pixels(config, sixels);
  qw_chafa.set_mode(config, true_color);
  qw_chafa.set_work(config, 0.5f);
  void *canvas = qw_chafa.new_canvas(config);
  qw_chafa.draw(canvas, rgba_unassociated, pixels, width, height, width * 4);
  // The fallback terminal supports only common features.
  void *terminal = qw_chafa.terminal(qw_chafa.terminals());
  GText *drawn = qw_chafa.print(canvas, terminal);
  qw_chafa.release_terminal(terminal);
  qw_chafa.release_canvas(canvas);
  qw_chafa.release_config(config);
  if (drawn == NULL) return NULL;
  char *text = drawn->count <= INT32_MAX ? malloc(drawn->count + 1) : NULL;
  if (text != NULL) {
    memcpy(text, drawn->text, drawn->count);
    *count = (int)drawn->count;
  }
  qw_chafa.free_text(drawn, 1);
  return text;
}

void qw_picture_free_text(char *text) { free(text); }
