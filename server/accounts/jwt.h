// JSON Web Tokens of others (RFC 7519), by OpenSSL: libcjose has no EdDSA, and librhonabwy brings
// GnuTLS.
#pragma once

#include <openssl/types.h>

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace tesela::accounts {

/// Empty when it is missing or has another type.
[[nodiscard]] std::string text_in(const nlohmann::json& object, const char* name);

/// A token as it is written: nothing is true of it before `is_signed_by`.
struct Jwt {
  using Time = std::chrono::system_clock::time_point;

  nlohmann::json header;  // an object, as are the claims
  nlohmann::json claims;
  std::string signed_part;
  std::string signature;

  /// Empty for what is no token.
  [[nodiscard]] static std::optional<Jwt> read(std::string_view token);

  /// Whether `key` has signed it, with the one algorithm of the key, which the header names.
  /// Extensions that must be understood (`crit`) are not.
  [[nodiscard]] bool is_signed_by(EVP_PKEY* key) const;

  /// Whether `audience` is its claim `aud`, or one of that.
  [[nodiscard]] bool is_for(const std::string& audience) const;

  /// A NumericDate; empty when it is missing or has another type.
  [[nodiscard]] std::optional<Time> time(const char* claim) const;

  enum class Times : std::uint8_t { kValid, kWithoutEnd, kExpired, kNotYet };
  /// By `exp` and `nbf`, with a tolerance of limits::kIssuerClockSkew.
  [[nodiscard]] Times times_at(Time now) const;
};

}  // namespace tesela::accounts
