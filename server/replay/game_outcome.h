// What a finished game counts for, and what must hold before so that it can.
#pragma once

#include <array>
#include <cstdint>

#include "engine/core/game.h"
#include "engine/core/result.h"
#include "server/store/store.h"

namespace tesela::replay {

/// Whether the result of the table counts and nobody is helped.
[[nodiscard]] bool is_ranked(const store::TableRow& table);

/// Whether others than its player may see the game. Who still has a try at a daily game would only
/// have to play the moves again. Error: kNotShownYet, until the day of the game is over.
[[nodiscard]] Expected<void> check_shown(const store::TableRow& table);

/// What a table knows of its game beside its row.
struct Participation {
  /// Seats whose player was away: a strategy plays them, or played more of their moves than the
  /// player did.
  std::array<bool, kSeatsMax> left{};
  bool rate_bots{};  // the operator wants ranked games to count every seat
};

/// A ranked game between people moves their ratings, by their ranks among each other; who has left
/// ranks behind all others and gains nothing. Bots count there, and against a person alone, only
/// with `rate_bots`; a game of bots alone moves theirs. A game for one that its player has
/// played alone counts on boards of scores: a try at a daily game on that day's, if it ended before
/// the seed was shown; any other on that of all time and that of the day on which it ended. Bots
/// have ratings, but no scores.
[[nodiscard]] store::GameOutcome outcome_of(const store::TableRow& table, const Result& result,
                                            std::int64_t ended_ms,
                                            const Participation& participation = {});

}  // namespace tesela::replay
