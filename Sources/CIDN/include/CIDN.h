/// Converts host names to the ASCII form used on the network, with libidn2.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the ASCII form of `host`, NUL-terminated UTF-8, to `ascii`: `xn--bcher-kva.example` (UTS 46,
/// non-transitional, like browsers). Returns the number of bytes, without a terminating NUL; -1 if `host` isn't a host
/// name, the result is longer than `size`, or libidn2 is missing. May be called from any thread.
///
/// The first call loads the library. Few users need it at the start, where loading it and its tables would cost 0.3 ms.
int qw_host_to_ascii(const char *host, unsigned char *ascii, size_t size);

#ifdef __cplusplus
}
#endif
