// The effect of a finished game on ratings and boards.
#pragma once

#include <array>
#include <cstdint>

#include "engine/core/game.h"
#include "engine/core/result.h"
#include "server/store/table_rows.h"

namespace tesela::replay {

/// Whether the table is ranked: its result changes ratings, and there are no hints.
[[nodiscard]] bool is_ranked(const store::TableRow& table);

/// Whether others than its player may see the game. A try at a daily game is hidden until the day
/// is over, because others could copy its moves. Error: kNotShownYet.
[[nodiscard]] Expected<void> check_shown(const store::TableRow& table);

/// What outcome_of needs beside the table's row.
struct Participation {
  /// Seats that a strategy plays at the end, or that were given up.
  std::array<bool, kSeatsMax> left{};
  /// Other seats for which a strategy played more moves than the player.
  std::array<bool, kSeatsMax> late{};
  /// Seats that have moved, or whose time ran out while they were asked to.
  std::array<bool, kSeatsMax> played{};
  bool rate_bots{};  // option --rate-bots: bots count in ranked games with players
};

/// A ranked game changes the ratings of the players that have played, by their ranks, if there are
/// two. A player who has left or given up ranks behind all others and gains nothing; one who was
/// late gains nothing, and takes nothing from those who have stayed. In games with players, bots
/// count only with `rate_bots`; a game of bots alone changes theirs. A game for one without
/// hints counts on the boards of scores: a try at a daily game on the board of that day, if it
/// ended on that day; any other on the board of all time and that of the day on which it ended.
/// Bots have ratings, but no scores.
[[nodiscard]] store::GameOutcome outcome_of(const store::TableRow& table, const Result& result,
                                            std::int64_t ended_ms,
                                            const Participation& participation = {});

}  // namespace tesela::replay
