/// Compresses bytes with zlib.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the maximum compressed size of `size` bytes.
size_t qw_gzip_bound(size_t size);

/// Compresses `size` bytes to gzip format (RFC 1952) in `packed`, which has a capacity of `room` bytes. Returns the
/// number of bytes written, or 0 if they don't fit or memory is insufficient. Thread-safe.
size_t qw_gzip(const unsigned char *bytes, size_t size, unsigned char *packed, size_t room);

#ifdef __cplusplus
}
#endif
