#include "server/base/crypto.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <stdexcept>

namespace tesela::base {
namespace {

template <class Bytes>
void fill(Bytes& bytes) {
  if (RAND_bytes(reinterpret_cast<unsigned char*>(&bytes), sizeof bytes) != 1) {
    throw std::runtime_error("the system gives no random bytes");
  }
}

}  // namespace

std::array<std::uint8_t, 32> random_seed() {
  std::array<std::uint8_t, 32> seed{};
  fill(seed);
  return seed;
}

std::array<std::uint8_t, 16> random_secret() {
  std::array<std::uint8_t, 16> secret{};
  fill(secret);
  return secret;
}

std::uint64_t random_number() {
  std::uint64_t number = 0;
  while (number == 0) {
    fill(number);
    number >>= 1U;
  }
  return number;
}

Sha256 sha256(std::string_view bytes) {
  Sha256 digest{};
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("OpenSSL computes no SHA-256");
  }
  return digest;
}

Sha256 hmac_sha256(std::string_view key, std::string_view bytes) {
  Sha256 mac{};
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), octets_of(bytes), bytes.size(),
           mac.data(), nullptr) == nullptr) {
    throw std::runtime_error("OpenSSL computes no HMAC");
  }
  return mac;
}

bool same_secret(std::string_view shown, std::string_view secret) {
  return shown.size() == secret.size() &&
         CRYPTO_memcmp(shown.data(), secret.data(), secret.size()) == 0;
}

}  // namespace tesela::base
