/// Compresses bytes, with zlib.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The most bytes that `size` bytes become.
size_t qw_gzip_bound(size_t size);

/// Writes `size` bytes in gzip's format (RFC 1952) to `packed`, which has room for `room` bytes. Returns the number of
/// bytes written; 0 if they don't fit or memory is short. May be called from any thread.
size_t qw_gzip(const unsigned char *bytes, size_t size, unsigned char *packed, size_t room);

#ifdef __cplusplus
}
#endif
