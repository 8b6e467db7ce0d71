// What an issuer of tokens has: a pair of keys, made on the spot, and how it signs.
#pragma once

#include <gtest/gtest.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <algorithm>
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
    if (EVP_PKEY_get_base_id(key_.get()) == EVP_PKEY_EC) return two_numbers(signature, size);
    return {signature.begin(), signature.begin() + static_cast<std::ptrdiff_t>(size)};
  }

  /// The public key as a JSON Web Key (RFC 7517).
  [[nodiscard]] nlohmann::json jwk(const std::string& id) const {
    nlohmann::json key{{"kid", id}, {"use", "sig"}};
    switch (EVP_PKEY_get_base_id(key_.get())) {
      case EVP_PKEY_RSA:
        key.update({{"kty", "RSA"},
                    {"n", number(OSSL_PKEY_PARAM_RSA_N)},
                    {"e", number(OSSL_PKEY_PARAM_RSA_E)}});
        break;
      case EVP_PKEY_EC:
        key.update({{"kty", "EC"},
                    {"crv", "P-256"},
                    {"x", number(OSSL_PKEY_PARAM_EC_PUB_X, kNumberBytes)},
                    {"y", number(OSSL_PKEY_PARAM_EC_PUB_Y, kNumberBytes)}});
        break;
      default: {
        std::string raw(kNumberBytes, '\0');
        std::size_t size = raw.size();
        EXPECT_EQ(EVP_PKEY_get_raw_public_key(key_.get(),
                                              reinterpret_cast<unsigned char*>(raw.data()), &size),
                  1);
        key.update({{"kty", "OKP"}, {"crv", "Ed25519"}, {"x", base::encode_base64url(raw)}});
      }
    }
    return key;
  }

  void write_public(const std::filesystem::path& path) const {
    const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::fopen(path.c_str(), "w"),
                                                                  std::fclose);
    EXPECT_EQ(PEM_write_PUBKEY(file.get(), key_.get()), 1);
  }

 private:
  explicit KeyPair(EVP_PKEY* key, const EVP_MD* digest = nullptr)
      : key_(key, EVP_PKEY_free), digest_(digest) {}

  static constexpr std::size_t kNumberBytes = 32;

  static std::string bytes_of(const BIGNUM* number, std::size_t least) {
    const auto size = std::max(static_cast<std::size_t>(BN_num_bytes(number)), least);
    std::string bytes(size, '\0');
    BN_bn2binpad(number, reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(size));
    return bytes;
  }
  [[nodiscard]] std::string number(const char* name, std::size_t least = 1) const {
    BIGNUM* value = nullptr;
    EXPECT_EQ(EVP_PKEY_get_bn_param(key_.get(), name, &value), 1);
    const std::string bytes = bytes_of(value, least);
    BN_free(value);
    return base::encode_base64url(bytes);
  }
  /// As RFC 7518, section 3.4 has it.
  static std::string two_numbers(const std::vector<unsigned char>& der, std::size_t size) {
    const unsigned char* at = der.data();
    const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> pair(
        d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(size)), ECDSA_SIG_free);
    return bytes_of(ECDSA_SIG_get0_r(pair.get()), kNumberBytes) +
           bytes_of(ECDSA_SIG_get0_s(pair.get()), kNumberBytes);
  }

  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
  const EVP_MD* digest_;
};

/// A part of a token.
inline std::string part(const nlohmann::json& object) {
  return base::encode_base64url(object.dump());
}

/// A whole token with this header.
inline std::string token(const KeyPair& keys, const nlohmann::json& header,
                         const nlohmann::json& claims) {
  const std::string signed_part = part(header) + "." + part(claims);
  return signed_part + "." + base::encode_base64url(keys.sign(signed_part));
}

/// The same that says so of its algorithm.
inline std::string token(const KeyPair& keys, const char* algorithm, const nlohmann::json& claims) {
  return token(keys, nlohmann::json{{"alg", algorithm}, {"typ", "JWT"}}, claims);
}

}  // namespace tesela::services
