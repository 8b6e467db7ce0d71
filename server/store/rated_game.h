// How a game moves ratings, for every store.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "server/store/boards.h"

namespace tesela::store {

/// What is known of a player before the game.
using RatingBefore = std::function<RatingRow(PlayerId)>;

/// The ratings after a game of at least two seats, one for each player. A bot may sit on several
/// seats: its rating then goes to the mean of what each seat would make of it, and the game counts
/// once. Who has left gains nothing, whatever the rank.
[[nodiscard]] std::vector<RatingRow> after_game(std::span<const Placing> placings,
                                                const RatingBefore& before);

}  // namespace tesela::store
