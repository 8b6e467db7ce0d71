// Positions of 2048 as JSON for people and tools: values, not exponents.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "engine/core/result.h"
#include "engine/g2048/g2048.h"

namespace tesela::cli {

/// "grid" (rows of values), "objective", and "n" if it is there, as tests/vectors/README.md says;
/// else the usual game, without points. Refuses with kInvalidArgument.
[[nodiscard]] Expected<g2048::State> read_2048_state(const nlohmann::ordered_json& json);

/// Rows of values; 0 is empty.
[[nodiscard]] nlohmann::ordered_json grid_json(const g2048::Cells& cells, std::uint8_t size);

[[nodiscard]] nlohmann::ordered_json config_json(const g2048::Config& config);

}  // namespace tesela::cli
