// The table that a pairing becomes.
#pragma once

#include <span>

#include "engine/core/result.h"
#include "server/directory/directory.h"
#include "server/matchmaking/matchmaker.h"
#include "server/matchmaking/search.h"

namespace tesela::matchmaking {

/// A table for those who search, of whom there is at least one, and for the bots of the pairing, on
/// seats that are drawn by lot. Errors: kInvalidArgument when there is no bot of the level.
[[nodiscard]] Expected<directory::NewTable> new_table_of(
    const Pairing& pairing, std::span<const std::shared_ptr<Search>> players);

}  // namespace tesela::matchmaking
