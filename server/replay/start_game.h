// The beginning of a game.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/core/result.h"
#include "server/games/match.h"
#include "server/store/store.h"

namespace tesela::replay {

struct StartedGame {
  std::unique_ptr<games::Match> match;
  std::string record;  // of version 1, encoded
};

/// Puts the ending into the table's row when the game of `match` is over without a move: what it
/// counts for. Nothing where it goes on.
[[nodiscard]] store::GameOutcome end_if_over(store::TableRow& table, const games::Match& match,
                                             std::int64_t at_ms);

/// Starts the game of a table whose seats are all taken. Errors: kCorrupt when the table's row is
/// not what was written.
[[nodiscard]] Expected<StartedGame> start_game(const store::TableRow& table, std::int64_t at_ms);

}  // namespace tesela::replay
