// Positions of 2048 as JSON for people and tools: values, not exponents.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "engine/g2048/config.h"

namespace tesela::cli {

/// Rows of values; 0 is empty.
[[nodiscard]] nlohmann::ordered_json grid_json(const g2048::Cells& cells, std::uint8_t size);

[[nodiscard]] nlohmann::ordered_json config_json(const g2048::Config& config);

}  // namespace tesela::cli
