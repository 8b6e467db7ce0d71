// What a finished game counts for, and what must hold before so that it can.
#pragma once

#include <cstdint>

#include "engine/core/game.h"
#include "engine/core/result.h"
#include "server/store/store.h"

namespace tesela::table {

/// Whether the result of the table counts and nobody is helped.
[[nodiscard]] bool is_ranked(const store::TableRow& table);

/// Whether others than its player may see the game. Who still has a try at a daily game would only
/// have to play the moves again. Error: kNotShownYet, until the day of the game is over.
[[nodiscard]] Expected<void> check_shown(const store::TableRow& table);

/// A ranked game between several moves the ratings of its seats. A game for one that its player has
/// played alone counts on boards of scores: a try at a daily game on that day's, if it ended before
/// the seed was shown; any other on that of all time and that of the day on which it ended. Bots
/// have ratings, but no scores.
[[nodiscard]] store::Tally tally_of(const store::TableRow& table, const Result& result,
                                    std::int64_t ended_ms);

}  // namespace tesela::table
