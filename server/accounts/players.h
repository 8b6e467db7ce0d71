// Players: who comes, and who comes back.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "server/accounts/tokens.h"
#include "server/quota/admission_control.h"
#include "server/store/store.h"

namespace tesela::accounts {

struct SignedIn {
  Identity identity;
  Tokens::Issued proof;
};

/// What the player of a token is told who is not in the store: somebody has put a new database
/// under the old key.
[[nodiscard]] std::unexpected<Error> stranger();

/// Any thread.
class Players {
 public:
  /// Both must outlive it.
  Players(store::Store& store, const Tokens& tokens) : store_(store), tokens_(tokens) {}

  /// A new guest, stored when it returns. A `device_secret`, which may be empty, makes the token
  /// renewable. Errors: those of codec::shown_name, and of Store::add_player; kInvalidArgument for
  /// a secret that is too short or too long.
  boost::asio::awaitable<Expected<SignedIn>> sign_in(std::string name, std::string device_secret);

  /// A fresh token for the player of one that is still accepted. Errors: those of
  /// Tokens::verify_device, and kUnauthenticated when the store does not know the player.
  boost::asio::awaitable<Expected<SignedIn>> renew(std::string token, std::string device_secret);

  /// The player of a token, whom the store knows when it returns: a player of the operator's issuer
  /// is stored at the first visit, which costs `from` a sign-in, and keeps the name of then.
  /// Errors: those of Tokens::verify, and of the store; kResourceExhausted after too many first
  /// visits; kUnauthenticated when somebody else has the player's id.
  boost::asio::awaitable<Expected<Identity>> admit(std::string token, quota::QuotaPtr from);

 private:
  store::Store& store_;
  const Tokens& tokens_;
};

}  // namespace tesela::accounts
