// Games that are over and do not count: what operators do about those of cheats.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/directory/directory.h"
#include "server/directory/operator_access.h"
#include "server/store/moderation.h"
#include "server/store/table_rows.h"

namespace tesela::ops {

/// Any thread.
class VoidGames {
 public:
  /// What it uses; outlives it.
  struct Parts {
    store::TableRows& table_rows;
    store::Moderation& moderation;
    directory::Directory& directory;
  };

  explicit VoidGames(Parts parts) : parts_(parts), tables_(parts.directory) {}

  /// Stores the act, and closes its table: the game has no result and counts for nothing any more.
  /// Returns the act, or an earlier one on the same player and game, which an interrupted call may
  /// have left. Errors: kNotFound, kInvalidArgument (the player has no seat there), kStarted (the
  /// game is not over, or was closed before), those of OperatorAccess::close.
  boost::asio::awaitable<Expected<store::ActRow>> make_void(store::ActRow act);

  /// The game counts again. Errors: those of OperatorAccess::reopen.
  boost::asio::awaitable<Expected<void>> count_again(TableId table);

 private:
  const Parts parts_;
  directory::OperatorAccess tables_;
};

}  // namespace tesela::ops
