// Makes the table of a pairing.
#pragma once

#include <span>

#include "engine/core/result.h"
#include "server/directory/directory.h"
#include "server/games/clock.h"
#include "server/matchmaking/matchmaker.h"
#include "server/matchmaking/search.h"
#include "server/matchmaking/ticket.h"

namespace tesela::matchmaking {

/// The clock of the tables of a pace.
[[nodiscard]] games::ClockRules clock_of(Pace pace);

/// A table for the players of a pairing, at least one, and its bots, on random seats. Error:
/// kInvalidArgument when the game has no bot of the level.
[[nodiscard]] Expected<directory::NewTable> new_table_of(
    const Pairing& pairing, std::span<const std::shared_ptr<Search>> players);

}  // namespace tesela::matchmaking
