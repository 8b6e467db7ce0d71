#include "server/base/sha256.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <stdexcept>

namespace tesela::base {

Sha256 sha256(std::string_view bytes) {
  Sha256 digest{};
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("OpenSSL computes no SHA-256");
  }
  return digest;
}

Sha256 hmac_sha256(std::string_view key, std::string_view bytes) {
  Sha256 mac{};
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), mac.data(),
           nullptr) == nullptr) {
    throw std::runtime_error("OpenSSL computes no HMAC");
  }
  return mac;
}

}  // namespace tesela::base
