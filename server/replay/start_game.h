// The beginning of a game: its seed, its commitment (engine/README.md, "Fair by proof") and its
// first record.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/games/fair.h"
#include "server/games/match.h"
#include "server/store/table_rows.h"

namespace tesela::replay {

struct StartedGame {
  std::unique_ptr<games::Match> match;
  std::string record;  // of version 1, encoded
};

/// Starts the game of a table whose seats are all taken, at `at_ms` (Unix time). Error: kCorrupt
/// when the table's row cannot be decoded.
[[nodiscard]] Expected<StartedGame> start_game(const store::TableRow& table, std::int64_t at_ms);

/// If the game of `match` is over before its first move, writes the ending into `table` and returns
/// what the game counts for. Otherwise empty.
[[nodiscard]] store::GameOutcome end_if_over(store::TableRow& table, const games::Match& match,
                                             std::int64_t at_ms);

/// The commitment to the server's seed: SHA-256, 32 bytes. Empty for some tables of before the
/// first release, which have none.
[[nodiscard]] std::string commitment_of(const store::TableRow& table);

/// The players' contributions to the seed, in the order of seats.
[[nodiscard]] std::vector<games::Contribution> contributions_of(const store::TableRow& table);

/// The seed of the game's dice, from the server's seed and the contributions. Error: kCorrupt for a
/// table without a seed of the server.
[[nodiscard]] Expected<Seed> game_seed_of(const store::TableRow& table);

}  // namespace tesela::replay
