// The table that a player was matched to before.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>

#include "engine/core/result.h"
#include "server/directory/directory.h"
#include "server/matchmaking/search.h"
#include "server/store/store.h"

namespace tesela::matchmaking {

/// The table that the player was matched to before by the same request, in case the player was not
/// told of it. Empty if the player has left it or resigned there. Both references must live until
/// the coroutine ends. Errors: kNotFound (no such player), and those of Directory::plays.
boost::asio::awaitable<Expected<std::optional<store::TableRow>>> earlier_match(
    store::Store& store, directory::Directory& directory, Seeker seeker);

}  // namespace tesela::matchmaking
