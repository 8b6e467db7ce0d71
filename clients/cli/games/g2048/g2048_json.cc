#include "clients/cli/games/g2048/g2048_json.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <string>

#include "clients/cli/base/rules_json.h"

namespace tesela::cli {
namespace {

using g2048::State;

/// The exponent of a power of two from 2^`least` to 2^31.
Expected<g2048::Exponent> read_exponent(std::uint64_t value, g2048::Exponent least) {
  const auto exponent = static_cast<g2048::Exponent>(std::countr_zero(value));
  if (!std::has_single_bit(value) || exponent < least || exponent > g2048::kExponentMax) {
    return unreadable(std::to_string(value) + " is not a power of two from " +
                      std::to_string(g2048::tile_value(least)) + " to 2^31.");
  }
  return exponent;
}

/// The cells of the grid, and its size.
Expected<State> read_grid(const Json& question) {
  const Expected<NumberGrid> grid = read_square_grid(question, "grid");
  if (!grid) return std::unexpected(grid.error());
  if (grid->size() < g2048::kSizeMin || grid->size() > g2048::kSizeMax) {
    return unreadable("A grid has 2 to 8 rows, not " + std::to_string(grid->size()) + ".");
  }
  State s;
  s.config.size = static_cast<std::uint8_t>(grid->size());
  auto cell = s.cells.begin();
  for (const auto& row : *grid) {
    for (const std::uint64_t value : row) {
      const Expected<g2048::Exponent> exponent =
          value == 0 ? g2048::Exponent{0} : read_exponent(value, 1);
      if (!exponent) return std::unexpected(exponent.error());
      *cell++ = *exponent;
    }
  }
  return s;
}

}  // namespace

Expected<State> read_2048_state(const nlohmann::ordered_json& json) {
  Expected<State> s = read_grid(json);
  if (!s) return s;
  if (json.contains("n")) {
    const Expected<std::uint64_t> n = read_number(json, "n");
    if (!n) return std::unexpected(n.error());
    if (*n != s->config.size) return unreadable("'n' is not the number of rows of 'grid'.");
  }
  const Expected<std::uint64_t> objective = read_number(json, "objective");
  if (!objective) return std::unexpected(objective.error());
  const Expected<g2048::Exponent> exponent = read_exponent(*objective, g2048::kObjectiveMin);
  if (!exponent) return std::unexpected(exponent.error());
  s->config.objective = *exponent;
  s->objective_reached = std::ranges::max(s->cells) >= *exponent;
  return s;
}

Json grid_json(const g2048::Cells& cells, std::uint8_t size) {
  Json rows = Json::array();
  for (std::size_t row = 0; row < size; ++row) {
    Json values = Json::array();
    for (std::size_t column = 0; column < size; ++column) {
      values.push_back(g2048::tile_value(cells[row * size + column]));
    }
    rows.push_back(std::move(values));
  }
  return rows;
}

Json config_json(const g2048::Config& config) {
  Json weights = Json::array();
  for (const g2048::SpawnWeight& weight : std::span{config.weights}.first(config.weight_count)) {
    weights.push_back(
        {{"value", g2048::tile_value(weight.exponent)}, {"per_mille", weight.per_mille}});
  }
  Json json{
      {"size", config.size}, {"weights", std::move(weights)}, {"start_tiles", config.start_tiles}};
  if (config.start_exponent != g2048::kDrawn) {
    json["start_value"] = g2048::tile_value(config.start_exponent);
  }
  json["objective"] = g2048::tile_value(config.objective);
  json["stop_at_objective"] = config.stop_at_objective;
  return json;
}

}  // namespace tesela::cli
