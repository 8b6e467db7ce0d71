#include "engine/g2048/config.h"

#include <span>
#include <string>

namespace tesela::g2048 {

namespace {

std::unexpected<Error> invalid(std::string message) {
  return refuse(ErrorCode::kInvalidArgument, std::move(message));
}

Expected<void> validate_weights(const Config& config) {
  if (config.weight_count < 1 || config.weight_count > kWeightsMax) {
    return invalid("A table needs 1 to 8 spawn weights, not " +
                   std::to_string(config.weight_count) + ".");
  }
  std::uint32_t sum = 0;
  std::uint32_t seen = 0;
  for (const SpawnWeight& weight : std::span{config.weights}.first(config.weight_count)) {
    if (weight.exponent < 1 || weight.exponent > kSpawnExponentMax) {
      return invalid("A tile that spawns is a power of two from 2 to 2^30.");
    }
    if ((seen >> weight.exponent & 1U) != 0) {
      return invalid("The tile " + std::to_string(tile_value(weight.exponent)) +
                     " has two spawn weights; give it one.");
    }
    seen |= 1U << weight.exponent;
    sum += weight.per_mille;
  }
  if (sum != kPerMille) {
    return invalid("The spawn weights sum to " + std::to_string(sum) +
                   " per mille; they must sum to 1000.");
  }
  return {};
}

}  // namespace

Expected<void> validate(const Config& config) {
  if (config.size < kSizeMin || config.size > kSizeMax) {
    return invalid("A board has 2 to 8 rows and columns, not " + std::to_string(config.size) + ".");
  }
  if (auto weights = validate_weights(config); !weights) {
    return weights;
  }
  const int cells = config.size * config.size;
  if (config.start_tiles < 1 || config.start_tiles > cells) {
    return invalid("A game on this board starts with 1 to " + std::to_string(cells) +
                   " tiles, not " + std::to_string(config.start_tiles) + ".");
  }
  if (config.start_exponent > kSpawnExponentMax) {
    return invalid("The tiles of the start are a power of two from 2 to 2^30.");
  }
  if (config.objective < kObjectiveMin || config.objective > kExponentMax) {
    return invalid("The objective is a power of two from 4 to 2^31.");
  }
  return {};
}

}  // namespace tesela::g2048
