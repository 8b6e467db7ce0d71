// Tokens of an operator's own issuer: JSON Web Tokens under a public key.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/accounts/public_key.h"

namespace tesela::accounts {

/// The authenticated caller of a request.
struct Identity {
  PlayerId player;
  std::string display_name;
  bool of_issuer{};            // from the operator's issuer: may not be stored yet
  std::string account_hash{};  // of a player of the issuer, as store::PlayerRow::identity
  SessionId session{};         // 0: of a player of the issuer, or of an old token

  friend bool operator==(const Identity&, const Identity&) = default;
};

/// Immutable: any thread.
class Issuer {
 public:
  using Time = std::chrono::system_clock::time_point;

  /// Which tokens are accepted.
  struct Terms {
    std::filesystem::path key_file;  // a public key in PEM, as algorithm_of takes
    std::string name;                // the exact claim `iss` of a token
    std::string audience;            // one of the claim `aud`; empty: the token has no `aud`
  };

  /// Errors: kNotFound when the file cannot be read, kInvalidArgument for any other key.
  [[nodiscard]] static Expected<Issuer> open(Terms terms);

  /// Accepts a token that the key has signed, with the one algorithm of the key, whose claims match
  /// the terms, from `nbf` until `exp` with a tolerance of limits::kIssuerClockSkew. The player's
  /// id is a hash of `iss` and `sub`, so it is the same on every server; the display name is the
  /// claim `name` (codec::shown_name). The signature is checked before any claim. Error:
  /// kUnauthenticated, with what is wrong.
  [[nodiscard]] Expected<Identity> verify(std::string_view token, Time now) const;

 private:
  Issuer(Terms terms, PublicKey key);

  Terms terms_;
  PublicKey key_;
};

}  // namespace tesela::accounts
