/// Hashes bytes and passwords, with libsodium. Everything here may be called from any thread.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the SHA-256 of `size` bytes, which is 32 bytes long, to `digest`.
void qw_sha256(const uint8_t *bytes, size_t size, uint8_t *digest);

/// Writes the HMAC-SHA-256 of `size` bytes, which is 32 bytes long, to `code`. The key has any length.
void qw_hmac_sha256(const uint8_t *bytes, size_t size, const uint8_t *key, size_t key_size, uint8_t *code);

/// Compares `size` bytes in a time that does not depend on their values.
bool qw_are_equal(const uint8_t *first, const uint8_t *second, size_t size);

/// Derives a key of `key_size` bytes by Argon2id with one lane. The salt has 16 bytes. Returns whether it succeeded:
/// memory may be short, or a number out of range.
bool qw_argon2id(const uint8_t *password, size_t size, const uint8_t *salt, size_t kibibytes, size_t passes,
                 uint8_t *key, size_t key_size);

/// Derives a key of `key_size` bytes by scrypt, with N = 2 ^ `log_rounds`. Returns whether it succeeded: memory may be
/// short, or a number out of range.
bool qw_scrypt(const uint8_t *password, size_t size, const uint8_t *salt, size_t salt_size, uint32_t log_rounds,
               uint32_t block_size, uint32_t parallelism, uint8_t *key, size_t key_size);

#ifdef __cplusplus
}
#endif
