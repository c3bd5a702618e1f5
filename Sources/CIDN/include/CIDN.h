/// The names of hosts in the form that goes over the network, made by libidn2.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes `host`, UTF-8 ended by 0, into `ascii` as the name that is asked for: `xn--bcher-kva.example` (UTS 46,
/// non-transitional, as browsers do). Returns the number of bytes, without a 0 behind them; -1 where it is no name of
/// a host, does not fit into `size`, or libidn2 is missing. May be called from any thread.
///
/// The library is opened by the first call: hardly anybody needs it at the start, where loading it and its tables
/// would cost 0.3 ms.
int qw_host_to_ascii(const char *host, unsigned char *ascii, size_t size);

#ifdef __cplusplus
}
#endif
