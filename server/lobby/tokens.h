// Proof of identity: JSON Web Tokens (RFC 7519) that this server signs with HMAC-SHA256.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "engine/core/ids.h"
#include "engine/core/result.h"

namespace tesela::lobby {

/// Who is asking.
struct Identity {
  PlayerId player;
  std::string display_name;

  friend bool operator==(const Identity&, const Identity&) = default;
};

/// Immutable: any thread.
class Tokens {
 public:
  using Time = std::chrono::system_clock::time_point;

  struct Issued {
    std::string token;
    Time expires;  // whole seconds
  };

  /// `secret` is the key of the signature: at least 32 bytes.
  Tokens(std::string secret, std::chrono::seconds time_to_live);

  [[nodiscard]] Issued issue(const Identity& identity,
                             Time now = std::chrono::system_clock::now()) const;

  /// Accepts exactly the tokens of `issue` under the same secret, until they expire. The header is
  /// compared, not believed: there is no other algorithm to choose. The signature is compared in
  /// constant time before anything else is looked at. Error: kUnauthenticated, with what to do
  /// about it.
  [[nodiscard]] Expected<Identity> verify(std::string_view token,
                                          Time now = std::chrono::system_clock::now()) const;

 private:
  [[nodiscard]] std::string signature(std::string_view signed_part) const;

  std::string secret_;
  std::chrono::seconds time_to_live_;
};

/// The token of `Authorization: Bearer TOKEN`; empty when the value is not of that form.
[[nodiscard]] std::string_view bearer_token(std::string_view authorization);

}  // namespace tesela::lobby
