// Positions and moves of Azul in the JSON of tests/vectors/README.md: colours from 0, the centre as
// -1, the floor line as 5, the marker on a floor line as 5.
#pragma once

#include "clients/cli/base/json.h"
#include "engine/azul/azul.h"

namespace tesela::cli {

/// Five counts of at most 20.
[[nodiscard]] azul::Tiles read_azul_tiles(const Json& value, const std::string& name,
                                          JsonReader& reader);
/// Rows of 0 and 1.
[[nodiscard]] azul::Wall read_azul_wall(const Json& value, const std::string& name,
                                        JsonReader& reader);
/// [source, colour, line]. Not necessarily a legal one.
[[nodiscard]] azul::Move read_azul_move(const Json& value, JsonReader& reader);
/// As many displays as `table` has players for.
void read_azul_factories(const Json& value, azul::Table& table, JsonReader& reader);
/// In the first round, whatever round it is. It may have "untiled_rounds", which is 0 otherwise.
[[nodiscard]] azul::State read_azul_state(const Json& value, JsonReader& reader);

[[nodiscard]] Json azul_tiles_json(const azul::Tiles& tiles);
[[nodiscard]] Json azul_wall_json(const azul::Wall& wall);
[[nodiscard]] Json azul_move_json(const azul::Move& move);
[[nodiscard]] Json azul_state_json(const azul::State& s);

/// The boards' scores, walls and lines and the lid, after tiling and penalties.
[[nodiscard]] Json azul_after_json(const azul::Table& table);
/// Rows, columns and colours that are complete, and their bonus.
[[nodiscard]] Json azul_bonus_json(const azul::Wall& wall);

}  // namespace tesela::cli
