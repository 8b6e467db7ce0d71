// Proof of identity: JSON Web Tokens (RFC 7519) that this server signs with HMAC-SHA256, and those
// of an operator's own issuer.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "server/accounts/identity.h"
#include "server/accounts/issuer.h"

namespace tesela::accounts {

/// Immutable: any thread.
class Tokens {
 public:
  using Time = std::chrono::system_clock::time_point;

  struct Issued {
    std::string token;
    Time expires;  // whole seconds
  };

  /// `secret` is the key of the signature: at least 32 bytes.
  Tokens(std::string secret, std::chrono::seconds time_to_live, std::optional<Issuer> issuer = {});

  /// With a `device_secret` the token is bound to who knows it: its SHA-256 stands in the token.
  /// Without, it cannot be renewed.
  [[nodiscard]] Issued issue(const Identity& identity, std::string_view device_secret = {},
                             Time now = std::chrono::system_clock::now()) const;

  /// Accepts exactly the tokens of `issue` under the same secret, until they expire, and those of
  /// the issuer. The header is compared, not believed: there is no other algorithm to choose. The
  /// signature is compared in constant time before anything else is looked at. Error:
  /// kUnauthenticated, with what to do about it.
  [[nodiscard]] Expected<Identity> verify(std::string_view token,
                                          Time now = std::chrono::system_clock::now()) const;

  /// Whether a token that `verify` accepts may be exchanged for a fresh one: whoever finds a token
  /// does not have it for ever, because the device secret is not in it. Errors: those of `verify`,
  /// kPermissionDenied for a token of the issuer, one that is bound to no device, and another
  /// secret.
  [[nodiscard]] Expected<Identity> verify_device(std::string_view token,
                                                 std::string_view device_secret,
                                                 Time now = std::chrono::system_clock::now()) const;

 private:
  struct Claims;

  [[nodiscard]] bool is_foreign(std::string_view token) const;
  [[nodiscard]] std::string signature(std::string_view signed_part) const;
  [[nodiscard]] Expected<Claims> read(std::string_view token, Time now) const;

  std::string secret_;
  std::chrono::seconds time_to_live_;
  std::optional<Issuer> issuer_;
};

/// The token of `Authorization: Bearer TOKEN`; empty when the value is not of that form.
[[nodiscard]] std::string_view bearer_token(std::string_view authorization);

}  // namespace tesela::accounts
