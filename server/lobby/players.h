// Guests: a display name becomes a player and a token.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <string>
#include <string_view>

#include "server/lobby/tokens.h"
#include "server/store/store.h"

namespace tesela::lobby {

/// The name as others will see it: trimmed, 1 to limits::kDisplayNameMax Unicode characters,
/// nothing invisible among them (control and format characters, bidirectional overrides, line
/// separators, fillers). Error: kInvalidArgument, with what is wrong.
[[nodiscard]] Expected<std::string> shown_name(std::string_view name);

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
