/// Hashes bytes and passwords with libsodium. Thread-safe.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the SHA-256 of `size` bytes, which is 32 bytes long, to `digest`.
void qw_sha256(const uint8_t *bytes, size_t size, uint8_t *digest);

/// Writes the HMAC-SHA-256 of `size` bytes, which is 32 bytes long, to `code`. The key can have any length.
void qw_hmac_sha256(const uint8_t *bytes, size_t size, const uint8_t *key, size_t key_size, uint8_t *code);

/// Compares `size` bytes in constant time.
bool qw_are_equal(const uint8_t *first, const uint8_t *second, size_t size);

/// Derives a key of `key_size` bytes with Argon2id and one lane. The salt is 16 bytes long. Returns false if memory is
/// insufficient or an argument is out of range.
bool qw_argon2id(const uint8_t *password, size_t size, const uint8_t *salt, size_t kibibytes, size_t passes,
                 uint8_t *key, size_t key_size);

/// Derives a key of `key_size` bytes with scrypt, with N = 2 ^ `log_rounds`. Returns false if memory is insufficient or
/// an argument is out of range.
bool qw_scrypt(const uint8_t *password, size_t size, const uint8_t *salt, size_t salt_size, uint32_t log_rounds,
               uint32_t block_size, uint32_t parallelism, uint8_t *key, size_t key_size);

#ifdef __cplusplus
}
#endif
