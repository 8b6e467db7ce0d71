#include "server/accounts/public_key.h"

#include <openssl/evp.h>

#include <array>

namespace tesela::accounts {
namespace {

bool is_p256(const EVP_PKEY* key) {
  std::array<char, 32> name{};
  return EVP_PKEY_get_group_name(key, name.data(), name.size(), nullptr) == 1 &&
         std::string_view(name.data()) == "prime256v1";
}

}  // namespace

std::string_view algorithm_of(const EVP_PKEY* key) {
  switch (EVP_PKEY_get_base_id(key)) {
    case EVP_PKEY_RSA:
      return EVP_PKEY_get_bits(key) >= kRsaBitsMin ? "RS256" : "";
    case EVP_PKEY_EC:
      return is_p256(key) ? "ES256" : "";
    case EVP_PKEY_ED25519:
      return "EdDSA";
    default:
      return "";
  }
}

}  // namespace tesela::accounts
