// What an issuer of tokens has: a pair of keys, made on the spot, and how it signs.
#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "server/base/text_encoding.h"

namespace tesela::services {

/// A pair of keys.
class KeyPair {
 public:
  static KeyPair rsa(int bits = 2048) { return KeyPair(EVP_RSA_gen(bits), EVP_sha256()); }
  static KeyPair ed25519() { return KeyPair(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")); }
  static KeyPair p256() {
    return KeyPair(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"), EVP_sha256());
  }

  [[nodiscard]] std::string sign(const std::string& text) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> signing(EVP_MD_CTX_new(),
                                                                          EVP_MD_CTX_free);
    EXPECT_EQ(EVP_DigestSignInit(signing.get(), nullptr, digest_, nullptr, key_.get()), 1);
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t size = 0;
    EXPECT_EQ(EVP_DigestSign(signing.get(), nullptr, &size, bytes, text.size()), 1);
    std::vector<unsigned char> signature(size);
    EXPECT_EQ(EVP_DigestSign(signing.get(), signature.data(), &size, bytes, text.size()), 1);
    return {signature.begin(), signature.begin() + static_cast<std::ptrdiff_t>(size)};
  }

  void write_public(const std::filesystem::path& path) const {
    const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::fopen(path.c_str(), "w"),
                                                                  std::fclose);
    EXPECT_EQ(PEM_write_PUBKEY(file.get(), key_.get()), 1);
  }

 private:
  explicit KeyPair(EVP_PKEY* key, const EVP_MD* digest = nullptr)
      : key_(key, EVP_PKEY_free), digest_(digest) {}

  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
  const EVP_MD* digest_;
};

/// A part of a token.
inline std::string part(const nlohmann::json& object) {
  return base::encode_base64url(object.dump());
}

/// A whole token that says so of its algorithm.
inline std::string token(const KeyPair& keys, const char* algorithm, const nlohmann::json& claims) {
  const std::string signed_part = part({{"alg", algorithm}, {"typ", "JWT"}}) + "." + part(claims);
  return signed_part + "." + base::encode_base64url(keys.sign(signed_part));
}

}  // namespace tesela::services
