#include "engine/g2248/config.h"

#include <string>

namespace tesela::g2248 {

Expected<void> validate(const Config& config) {
  const auto invalid = [](std::string message) {
    return refuse(ErrorCode::kInvalidArgument, std::move(message));
  };
  if (config.rows < kRowsMin || config.rows > kRowsMax) {
    return invalid("A board has 3 to 12 rows, not " + std::to_string(config.rows) + ".");
  }
  if (config.columns < kColumnsMin || config.columns > kColumnsMax) {
    return invalid("A board has 3 to 10 columns, not " + std::to_string(config.columns) + ".");
  }
  if (config.goal < 1 || config.goal > kGoalMax) {
    return invalid("The goal is a score from 1 to 2^60, not " + std::to_string(config.goal) + ".");
  }
  return {};
}

}  // namespace tesela::g2248
