// The table that a player was matched to before.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>

#include "engine/core/result.h"
#include "server/directory/directory.h"
#include "server/matchmaking/search.h"
#include "server/store/table_rows.h"

namespace tesela::matchmaking {

/// The table that the player was matched to before by the same request, in case the player was not
/// told of it. `last`: the player's last match. Empty if the player has left it or resigned there.
/// The reference must live until the coroutine ends. Errors: those of Directory::plays.
boost::asio::awaitable<Expected<std::optional<store::TableRow>>> earlier_match(
    directory::Directory& directory, TableId last, Seeker seeker);

}  // namespace tesela::matchmaking
