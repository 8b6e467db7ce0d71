// Has what operators have done about players take effect at this server.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "engine/core/result.h"
#include "server/accounts/tokens.h"
#include "server/bots/remote_bots.h"
#include "server/directory/directory.h"
#include "server/directory/operator_access.h"
#include "server/store/moderation.h"

namespace tesela::ops {

/// Any thread.
class ActEffects {
 public:
  /// What it uses; outlives it.
  struct Parts {
    directory::Directory& directory;
    accounts::Tokens& tokens;
    bots::RemoteBots& remote_bots;
  };

  explicit ActEffects(Parts parts) : parts_(parts), tables_(parts.directory) {}

  /// An act is stored, or was undone: the player is refused from then on or not any more, has
  /// another name at live tables, is sent away from them by a ban, and takes the bots from outside
  /// along; an announcement is sent to all streams. May be repeated. Error: that of
  /// OperatorAccess::rename, when some tables keep a name until they leave memory.
  boost::asio::awaitable<Expected<void>> carry_out(store::ActRow act);

 private:
  void send_bots_away(PlayerId player);

  const Parts parts_;
  directory::OperatorAccess tables_;
};

}  // namespace tesela::ops
