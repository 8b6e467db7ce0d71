// Guests: a display name becomes a player and a token.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "server/lobby/tokens.h"
#include "server/store/store.h"

namespace tesela::lobby {

struct SignedIn {
  Identity identity;
  Tokens::Issued proof;
};

/// Any thread.
class Players {
 public:
  /// Both must outlive it.
  Players(store::Store& store, const Tokens& tokens) : store_(store), tokens_(tokens) {}

  /// A new guest, stored when it returns. Errors: those of shown_name, and of Store::add_player.
  boost::asio::awaitable<Expected<SignedIn>> sign_in(std::string name);

 private:
  store::Store& store_;
  const Tokens& tokens_;
};

}  // namespace tesela::lobby
