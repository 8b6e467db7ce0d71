// JSON Web Tokens (RFC 7519): issues those that this server signs with HMAC-SHA256, and verifies
// them and those of an operator's issuer.
#pragma once

#include <chrono>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_set>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/accounts/acts_in_force.h"
#include "server/accounts/ended_sessions.h"
#include "server/accounts/issuer.h"
#include "server/accounts/watch_passes.h"

namespace tesela::accounts {

/// Any thread. Immutable but for `revoke`, `sessions` and `acts`.
class Tokens {
 public:
  using Time = std::chrono::system_clock::time_point;

  struct Issued {
    std::string token;
    Time expires;  // whole seconds
  };

  /// `secret` is the key of the signature, at least 32 bytes. Tokens that `former` has signed are
  /// accepted too.
  Tokens(std::string secret, std::chrono::seconds time_to_live, std::optional<Issuer> issuer = {},
         std::optional<std::string> former = {});

  /// A token with a `device_secret` contains its SHA-256 and can be renewed with the secret. A
  /// token without one cannot be renewed.
  [[nodiscard]] Issued issue(const Identity& identity, std::string_view device_secret = {},
                             Time now = std::chrono::system_clock::now()) const;

  /// Accepts the tokens of `issue` under either secret until they expire, and those of the
  /// issuer. The header must be the one that `issue` writes, so a token cannot choose another
  /// algorithm. The signature is compared in constant time, before any claim is read. Errors:
  /// kUnauthenticated and kSessionEnded, with what to do.
  [[nodiscard]] Expected<Identity> verify(std::string_view token,
                                          Time now = std::chrono::system_clock::now()) const;

  /// As `verify` of the tokens of `issue`, but also for a player who was revoked and a session that
  /// has ended.
  [[nodiscard]] Expected<Identity> verify_signed(std::string_view token,
                                                 Time now = std::chrono::system_clock::now()) const;

  /// Refuses all tokens of a player from now on, with the error of `unknown_player`.
  void revoke(PlayerId player);

  /// A key of its own for something else that is signed, the same wherever the secret is.
  [[nodiscard]] std::string derived_key(std::string_view purpose) const;

  [[nodiscard]] const WatchPasses& passes() const { return passes_; }
  /// The sessions whose tokens are refused.
  [[nodiscard]] EndedSessions& sessions() const { return sessions_; }
  /// Who may not play or talk. A token of a player who was renamed has the neutral name.
  [[nodiscard]] ActsInForce& acts() const { return acts_; }
  [[nodiscard]] std::chrono::seconds time_to_live() const { return time_to_live_; }

  /// Whether a token may be exchanged for a fresh one. The device secret is not in the token, so a
  /// stolen token cannot be renewed. Errors: those of `verify`, kPermissionDenied for a token of
  /// the issuer, a token without a device secret, and a wrong secret.
  [[nodiscard]] Expected<Identity> verify_device(std::string_view token,
                                                 std::string_view device_secret,
                                                 Time now = std::chrono::system_clock::now()) const;

 private:
  struct Claims;

  [[nodiscard]] Expected<Identity> admitted(Expected<Identity> identity) const;

  [[nodiscard]] bool is_foreign(std::string_view token) const;
  [[nodiscard]] bool is_signed(std::string_view signed_part, std::string_view mac) const;
  [[nodiscard]] Expected<Claims> read(std::string_view token, Time now) const;

  std::string secret_;
  std::optional<std::string> former_;
  std::chrono::seconds time_to_live_;
  std::optional<Issuer> issuer_;
  WatchPasses passes_{derived_key("tesela.watch_pass.v1")};
  mutable EndedSessions sessions_{time_to_live_};
  mutable ActsInForce acts_;
  mutable std::shared_mutex mutex_;
  std::unordered_set<PlayerId> revoked_;  // under the mutex
};

/// The error for a valid token whose player is not in the store: the player was deleted or erased,
/// or the database is older than the token.
[[nodiscard]] std::unexpected<Error> unknown_player();

}  // namespace tesela::accounts
