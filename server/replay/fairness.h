// The dice of a table: what was promised, and what they are (engine/README.md, "Fair by proof").
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/games/fair.h"
#include "server/store/store.h"

namespace tesela::replay {

/// SHA-256, 32 bytes; empty for a table of a schema before 3, which has promised nothing.
[[nodiscard]] std::string commitment_of(const store::TableRow& table);

/// What the players have added, in the order of seats.
[[nodiscard]] std::vector<games::Contribution> contributions_of(const store::TableRow& table);

/// The seed of the game's dice. Errors: kCorrupt for a table without a seed of the server.
[[nodiscard]] Expected<Seed> game_seed_of(const store::TableRow& table);

}  // namespace tesela::replay
