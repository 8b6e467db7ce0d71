#include "clients/cli/json_2048.h"

#include <cstddef>
#include <span>

namespace tesela::cli {

using Json = nlohmann::ordered_json;

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
