/// Converts host names to their ASCII form with libidn2.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the ASCII form of `host`, NUL-terminated UTF-8, to `ascii`: `xn--bcher-kva.example` (UTS 46,
/// non-transitional, like browsers). Returns the number of bytes written, without a terminating NUL, or -1 if `host`
/// isn't a host name, the result is longer than `size`, or libidn2 is missing. Thread-safe.
///
/// Loads the library on the first call. Few users need it at launch, and loading takes 0.3 ms.
int qw_host_to_ascii(const char *host, unsigned char *ascii, size_t size);

#ifdef __cplusplus
}
#endif
