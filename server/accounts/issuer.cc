#include "server/accounts/issuer.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "server/codec/shown_text.h"
#include "server/store/bot_account.h"

namespace tesela::accounts {
namespace {

using nlohmann::json;
using std::chrono::duration;
using std::chrono::seconds;

constexpr int kRsaBitsMin = 2048;

template <auto kFree>
struct Free {
  template <class T>
  void operator()(T* freed) const {
    kFree(freed);
  }
};

std::unexpected<Error> refuse_issued(std::string sentence) {
  return refuse(ErrorCode::kUnauthenticated, std::move(sentence));
}

std::unexpected<Error> not_ours() {
  return refuse_issued("The token is not one of this server's or its issuer's; sign in again.");
}

/// The algorithm of a key; empty for an unsupported key.
std::string_view algorithm_of(const EVP_PKEY* key) {
  switch (EVP_PKEY_get_base_id(key)) {
    case EVP_PKEY_RSA:
      return EVP_PKEY_get_bits(key) >= kRsaBitsMin ? "RS256" : "";
    case EVP_PKEY_ED25519:
      return "EdDSA";
    default:
      return "";
  }
}

std::optional<json> object_of(std::string_view encoded) {
  const auto text = base::decode_base64(encoded);
  if (!text) return std::nullopt;
  json object = json::parse(*text, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  return object;
}

/// Empty when it is missing or has another type.
std::string text_in(const json& claims, const char* name) {
  const auto claim = claims.find(name);
  return claim != claims.end() && claim->is_string() ? claim->get<std::string>() : "";
}

/// A NumericDate; empty when it is missing or has another type.
std::optional<Issuer::Time> time_in(const json& claims, const char* name) {
  const auto claim = claims.find(name);
  if (claim == claims.end() || !claim->is_number()) return std::nullopt;
  // Clamp to the range of the clock, which counts nanoseconds.
  constexpr double kFar = 9e9;
  const duration<double> since{std::clamp(claim->get<double>(), -kFar, kFar)};
  return Issuer::Time{std::chrono::duration_cast<Issuer::Time::duration>(since)};
}

/// RFC 7519, section 4.1.3: a token with an audience is refused unless it is the configured one.
bool is_for(const json& claims, const std::string& audience) {
  const auto claim = claims.find("aud");
  if (audience.empty()) return claim == claims.end();
  if (claim == claims.end()) return false;
  return claim->is_array() ? std::ranges::find(*claim, json(audience)) != claim->end()
                           : *claim == audience;
}

Expected<void> check_times(const json& claims, Issuer::Time now) {
  const auto expires = time_in(claims, "exp");
  if (!expires) return refuse_issued("The token does not expire: its issuer must set an 'exp'.");
  if (*expires + limits::kIssuerClockSkew <= now) {
    return refuse_issued("The token has expired; sign in again.");
  }
  if (!claims.contains("nbf")) return {};
  const auto begins = time_in(claims, "nbf");
  if (begins && *begins - limits::kIssuerClockSkew <= now) return {};
  return refuse_issued("The token is not valid yet.");
}

}  // namespace

void Issuer::FreeKey::operator()(EVP_PKEY* key) const {
  EVP_PKEY_free(key);
}

Issuer::Issuer(Terms terms, Key key) : terms_(std::move(terms)), key_(std::move(key)) {}

Expected<Issuer> Issuer::open(Terms terms) {
  const std::string& path = terms.key_file.native();
  const std::unique_ptr<std::FILE, Free<std::fclose>> file(std::fopen(path.c_str(), "re"));
  if (!file) {
    return refuse(ErrorCode::kNotFound, "The issuer's key cannot be read from " + path + ".");
  }
  Key key{PEM_read_PUBKEY(file.get(), nullptr, nullptr, nullptr)};
  if (!key || algorithm_of(key.get()).empty()) {
    return refuse(ErrorCode::kInvalidArgument,
                  "The issuer's key in " + path +
                      " is none: it must be a public key in PEM, of RSA with at least " +
                      std::to_string(kRsaBitsMin) + " bits, or of Ed25519.");
  }
  return Issuer(std::move(terms), std::move(key));
}

bool Issuer::is_signed(std::string_view signed_part, std::string_view signature) const {
  const std::unique_ptr<EVP_MD_CTX, Free<EVP_MD_CTX_free>> check(EVP_MD_CTX_new());
  const EVP_MD* digest = algorithm_of(key_.get()) == "RS256" ? EVP_sha256() : nullptr;
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
  };
  return check && EVP_DigestVerifyInit(check.get(), nullptr, digest, nullptr, key_.get()) == 1 &&
         EVP_DigestVerify(check.get(), bytes(signature), signature.size(), bytes(signed_part),
                          signed_part.size()) == 1;
}

Expected<Identity> Issuer::verify(std::string_view token, Time now) const {
  const std::size_t first = token.find('.');
  const std::size_t last = token.rfind('.');
  if (first == last) return not_ours();
  const auto signature = base::decode_base64(token.substr(last + 1));
  if (!signature || !is_signed(token.substr(0, last), *signature)) return not_ours();
  const auto header = object_of(token.substr(0, first));
  const auto claims = object_of(token.substr(first + 1, last - first - 1));
  // RFC 7515, section 4.1.11: `crit` names extensions that must be understood; none is supported.
  if (!header || !claims || header->contains("crit") ||
      text_in(*header, "alg") != algorithm_of(key_.get()) ||
      text_in(*claims, "iss") != terms_.name) {
    return not_ours();
  }
  if (!is_for(*claims, terms_.audience)) {
    return refuse_issued("The token is meant for others: its 'aud' does not name this server.");
  }
  if (auto valid = check_times(*claims, now); !valid) return std::unexpected(valid.error());
  const std::string subject = text_in(*claims, "sub");
  if (subject.empty()) return refuse_issued("The token has no subject: it needs a 'sub'.");
  auto name = codec::shown_name(text_in(*claims, "name"));
  if (!name) return refuse_issued("The token's 'name' cannot be shown. " + name.error().message);
  // The name of the issuer has no NUL, so different pairs hash different bytes.
  auto account = store::hashed_account("tesela.issuer.v1", terms_.name, subject);
  return Identity{.player = account.id,
                  .display_name = std::move(*name),
                  .of_issuer = true,
                  .account_hash = std::move(account.identity)};
}

}  // namespace tesela::accounts
