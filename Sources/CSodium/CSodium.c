#include "CSodium.h"

#include <sodium.h>

void qw_sha256(const uint8_t *bytes, size_t size, uint8_t *digest) {
  crypto_hash_sha256(digest, bytes, size);
}

void qw_hmac_sha256(const uint8_t *bytes, size_t size, const uint8_t *key, size_t key_size, uint8_t *code) {
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, key, key_size);
  crypto_auth_hmacsha256_update(&state, bytes, size);
  crypto_auth_hmacsha256_final(&state, code);
  sodium_memzero(&state, sizeof state);
}

bool qw_are_equal(const uint8_t *first, const uint8_t *second, size_t size) {
  return sodium_memcmp(first, second, size) == 0;
}

// Selects implementations for this processor, once, under a mutex. SHA-256 and comparisons don't need it, so it doesn't
// slow down the launch.
static bool is_ready(void) { return sodium_init() >= 0; }

bool qw_argon2id(const uint8_t *password, size_t size, const uint8_t *salt, size_t kibibytes, size_t passes,
                 uint8_t *key, size_t key_size) {
  if (kibibytes > SIZE_MAX / 1024 || !is_ready()) return false;
  return crypto_pwhash_argon2id(key, key_size, (const char *)password, size, salt, passes, kibibytes * 1024,
                                crypto_pwhash_argon2id_ALG_ARGON2ID13) == 0;
}

bool qw_scrypt(const uint8_t *password, size_t size, const uint8_t *salt, size_t salt_size, uint32_t log_rounds,
               uint32_t block_size, uint32_t parallelism, uint8_t *key, size_t key_size) {
  if (log_rounds > 62 || !is_ready()) return false;
  return crypto_pwhash_scryptsalsa208sha256_ll(password, size, salt, salt_size, UINT64_C(1) << log_rounds, block_size,
                                               parallelism, key, key_size) == 0;
}
