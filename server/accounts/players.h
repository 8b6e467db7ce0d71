// Signs players in, renews their tokens, and stores the players of an issuer. Ends sessions.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "server/accounts/tokens.h"
#include "server/base/scale_limits.h"
#include "server/metrics/metrics.h"
#include "server/quota/admission_control.h"
#include "server/store/accounts.h"
#include "server/store/store.h"

namespace tesela::accounts {

struct SignedIn {
  Identity identity;
  Tokens::Issued proof;
};

/// Any thread.
class Players {
 public:
  /// All outlive it. `sign_of_life_age`: a renewed token is stored as a sign of life when the last
  /// one that is stored is older.
  Players(store::Store& store, store::Accounts& accounts, const Tokens& tokens,
          metrics::Metrics& metrics,
          std::chrono::milliseconds sign_of_life_age = limits::kSignOfLifeAge)
      : store_(store),
        accounts_(accounts),
        tokens_(tokens),
        metrics_(metrics),
        sign_of_life_age_(sign_of_life_age) {}

  /// The device that a token is for.
  struct Device {
    std::string secret{};  // makes the token renewable, if it is not empty
    std::string name{};    // shown in the list of sessions; may be empty
    std::optional<boost::asio::ip::address> from{};  // for the log, if it is known
  };

  /// Whether a device may be named so, and its name in the form that is shown. Errors: those of
  /// codec::shown_text; kInvalidArgument for a secret that is too short or too long.
  [[nodiscard]] static Expected<void> check(Device& device);

  /// Stores a new guest with a session and returns a token. Errors: those of codec::shown_name,
  /// of check and of Accounts::add_guest. `proof` as in store::SessionRow.
  boost::asio::awaitable<Expected<SignedIn>> sign_in(std::string name, Device device,
                                                     std::string proof = {});

  /// Stores a session of a player who has shown a credential, and returns a token. `proof` as in
  /// store::SessionRow. Errors: those of sign_in, and of Accounts::add_session.
  boost::asio::awaitable<Expected<SignedIn>> come_back(PlayerId player, Device device,
                                                       store::CredentialUse use, std::string proof);

  /// Exchanges a valid token for a fresh one, which belongs to the same session; to a new one, if
  /// the token is from a version without sessions. Errors: those of Tokens::verify_device,
  /// kSessionEnded, and kUnauthenticated when the store does not have the player or the session.
  boost::asio::awaitable<Expected<SignedIn>> renew(std::string token, std::string device_secret);

  /// The player of a token, stored when this returns. A player of the operator's issuer is stored
  /// at the first call, with the name of that token; that charges a sign-in to `from`. Errors:
  /// those of Tokens::verify and of the store; kResourceExhausted when `from` has no sign-ins left;
  /// kUnauthenticated when another account has the player's id.
  boost::asio::awaitable<Expected<Identity>> admit(std::string token, quota::QuotaPtr from);

  /// The same for what gets the player into a game, with the name that the player has now. Errors:
  /// also those of ActsInForce::may_play.
  boost::asio::awaitable<Expected<Identity>> admit_to_play(std::string token, quota::QuotaPtr from);

  /// Accounts::end_sessions; on this server the tokens are refused, and streams end, at once.
  /// Returns how many lived.
  boost::asio::awaitable<Expected<std::size_t>> end_sessions(PlayerId player,
                                                             std::optional<SessionId> only,
                                                             std::optional<SessionId> but);

  /// ActsInForce::may_play, also of the account of a bot.
  [[nodiscard]] Expected<void> may_play(PlayerId player) const {
    return tokens_.acts().may_play(player);
  }

  /// ActsInForce::may_seek.
  [[nodiscard]] Expected<void> may_seek(PlayerId player) const {
    return tokens_.acts().may_seek(player);
  }

  /// ActsInForce::may_sign_in.
  [[nodiscard]] Expected<void> may_sign_in() const { return tokens_.acts().may_sign_in(); }

  /// The text of ActsInForce::announcement.
  [[nodiscard]] std::string announcement() const { return tokens_.acts().announcement().text; }

  /// EndedSessions::hold of the tokens' sessions.
  [[nodiscard]] Expected<EndedSessions::Hold> hold(SessionId session,
                                                   std::function<void()> end) const {
    return tokens_.sessions().hold(session, std::move(end));
  }

  /// The sessions whose last sign of life is older are over: their tokens have expired.
  [[nodiscard]] std::int64_t dead_before_ms() const;

 private:
  boost::asio::awaitable<Expected<SessionId>> add_session(store::SessionRow row,
                                                          std::optional<store::CredentialUse> use);
  boost::asio::awaitable<Expected<void>> see(Identity& identity);
  /// The name may have changed since the token was made.
  boost::asio::awaitable<Expected<Identity>> named(Identity identity);

  store::Store& store_;
  store::Accounts& accounts_;
  const Tokens& tokens_;
  metrics::Metrics& metrics_;
  const std::chrono::milliseconds sign_of_life_age_;
};

}  // namespace tesela::accounts
