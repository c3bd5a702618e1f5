#include "CIDN.h"

#include <dlfcn.h>
#include <idn2.h>
#include <pthread.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static __typeof__(idn2_to_ascii_8z) *to_ascii;
static __typeof__(idn2_free) *release;

static void open_library(void) {
  // The version in the name must match the header.
  void *library = dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  to_ascii = (__typeof__(to_ascii))dlsym(library, "idn2_to_ascii_8z");
  release = (__typeof__(release))dlsym(library, "idn2_free");
}

int qw_host_to_ascii(const char *host, unsigned char *ascii, size_t size) {
  pthread_once(&once, open_library);
  if (to_ascii == NULL || release == NULL) return -1;
  char *result = NULL;
  if (to_ascii(host, &result, IDN2_NONTRANSITIONAL | IDN2_NFC_INPUT) != IDN2_OK) return -1;
  size_t length = strlen(result);
  int count = length <= size ? (int)length : -1;
  if (count > 0) memcpy(ascii, result, length);
  release(result);
  return count;
}
