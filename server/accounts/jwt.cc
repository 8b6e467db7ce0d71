#include "server/accounts/jwt.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "server/accounts/public_key.h"
#include "server/base/crypto.h"
#include "server/base/limits.h"
#include "server/base/text_encoding.h"

namespace tesela::accounts {
namespace {

using nlohmann::json;

constexpr int kP256NumberBytes = 32;

using base::octets_of;

std::optional<json> object_of(std::string_view encoded) {
  const auto text = base::decode_base64(encoded);
  if (!text) return std::nullopt;
  json object = json::parse(*text, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  return object;
}

/// RFC 7518, section 3.4 has two numbers, where OpenSSL takes DER. Empty for anything else.
std::string der_of(std::string_view signature) {
  if (signature.size() != 2UL * kP256NumberBytes) return {};
  const base::Owned<ECDSA_SIG, ECDSA_SIG_free> pair(ECDSA_SIG_new());
  BIGNUM* r = BN_bin2bn(octets_of(signature), kP256NumberBytes, nullptr);
  BIGNUM* s = BN_bin2bn(octets_of(signature) + kP256NumberBytes, kP256NumberBytes, nullptr);
  if (!pair || ECDSA_SIG_set0(pair.get(), r, s) != 1) {
    BN_free(r);
    BN_free(s);
    return {};
  }
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &der);
  if (size <= 0) return {};
  std::string text(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return text;
}

}  // namespace

std::string text_in(const json& object, const char* name) {
  const auto member = object.find(name);
  return member != object.end() && member->is_string() ? member->get<std::string>() : "";
}

std::optional<Jwt> Jwt::read(std::string_view token) {
  const std::size_t first = token.find('.');
  const std::size_t last = token.rfind('.');
  if (first == last) return std::nullopt;
  auto header = object_of(token.substr(0, first));
  auto claims = object_of(token.substr(first + 1, last - first - 1));
  auto signature = base::decode_base64(token.substr(last + 1));
  if (!header || !claims || !signature) return std::nullopt;
  return Jwt{.header = std::move(*header),
             .claims = std::move(*claims),
             .signed_part = std::string(token.substr(0, last)),
             .signature = std::move(*signature)};
}

bool Jwt::is_signed_by(EVP_PKEY* key) const {
  const std::string_view algorithm = algorithm_of(key);
  // RFC 7515, section 4.1.11: `crit`.
  if (algorithm.empty() || text_in(header, "alg") != algorithm || header.contains("crit")) {
    return false;
  }
  const std::string shown = algorithm == "ES256" ? der_of(signature) : signature;
  const EVP_MD* digest = algorithm == "EdDSA" ? nullptr : EVP_sha256();
  const base::Owned<EVP_MD_CTX, EVP_MD_CTX_free> check(EVP_MD_CTX_new());
  return check && EVP_DigestVerifyInit(check.get(), nullptr, digest, nullptr, key) == 1 &&
         EVP_DigestVerify(check.get(), octets_of(shown), shown.size(), octets_of(signed_part),
                          signed_part.size()) == 1;
}

bool Jwt::is_for(const std::string& audience) const {
  const auto claim = claims.find("aud");
  if (claim == claims.end()) return false;
  return claim->is_array() ? std::ranges::find(*claim, json(audience)) != claim->end()
                           : *claim == audience;
}

std::optional<Jwt::Time> Jwt::time(const char* claim) const {
  const auto member = claims.find(claim);
  if (member == claims.end() || !member->is_number()) return std::nullopt;
  // Clamp to the range of the clock, which counts nanoseconds.
  constexpr double kFar = 9e9;
  const std::chrono::duration<double> since{std::clamp(member->get<double>(), -kFar, kFar)};
  return Time{std::chrono::duration_cast<Time::duration>(since)};
}

Jwt::Times Jwt::times_at(Time now) const {
  const auto expires = time("exp");
  if (!expires) return Times::kWithoutEnd;
  if (*expires + limits::kIssuerClockSkew <= now) return Times::kExpired;
  if (!claims.contains("nbf")) return Times::kValid;
  const auto begins = time("nbf");
  return begins && *begins - limits::kIssuerClockSkew <= now ? Times::kValid : Times::kNotYet;
}

}  // namespace tesela::accounts
