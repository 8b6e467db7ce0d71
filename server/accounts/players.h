// Signs players in, renews their tokens, and stores the players of an issuer.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <string>

#include "server/accounts/tokens.h"
#include "server/base/scale_limits.h"
#include "server/quota/admission_control.h"
#include "server/store/store.h"

namespace tesela::accounts {

struct SignedIn {
  Identity identity;
  Tokens::Issued proof;
};

/// Any thread.
class Players {
 public:
  /// Both outlive it. `sign_of_life_age`: a renewed token is stored as a sign of life when the last
  /// one that is stored is older.
  Players(store::Store& store, const Tokens& tokens,
          std::chrono::milliseconds sign_of_life_age = limits::kSignOfLifeAge)
      : store_(store), tokens_(tokens), sign_of_life_age_(sign_of_life_age) {}

  /// Stores a new guest and returns a token. A `device_secret`, which may be empty, makes the token
  /// renewable. Errors: those of codec::shown_name, and of Store::add_player; kInvalidArgument for
  /// a secret that is too short or too long.
  boost::asio::awaitable<Expected<SignedIn>> sign_in(std::string name, std::string device_secret);

  /// Exchanges a valid token for a fresh one. Errors: those of
  /// Tokens::verify_device, and kUnauthenticated when the store does not have the player.
  boost::asio::awaitable<Expected<SignedIn>> renew(std::string token, std::string device_secret);

  /// The player of a token, stored when this returns. A player of the operator's issuer is stored
  /// at the first call, with the name of that token; that charges a sign-in to `from`. Errors:
  /// those of Tokens::verify and of the store; kResourceExhausted when `from` has no sign-ins left;
  /// kUnauthenticated when another account has the player's id.
  boost::asio::awaitable<Expected<Identity>> admit(std::string token, quota::QuotaPtr from);

 private:
  store::Store& store_;
  const Tokens& tokens_;
  const std::chrono::milliseconds sign_of_life_age_;
};

}  // namespace tesela::accounts
