// tests/vectors/2048.jsonl: answers that independent implementations agree on.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/g2048/g2048.h"
#include "tests/engine/g2048/position.h"

namespace tesela::g2048 {
namespace {

using nlohmann::json;
using test::drawn;

constexpr int kVectors = 156;

State position_of(const json& grid, std::uint64_t objective) {
  std::string drawing;
  for (const json& row : grid) {
    for (const json& value : row) {
      drawing += value == 0 ? ". " : std::to_string(value.get<std::uint64_t>()) + " ";
    }
  }
  Config config;
  config.objective = static_cast<Exponent>(std::countr_zero(objective));
  return test::position(drawing, config);
}

std::string state_name(const State& s) {
  if (s.objective_reached) {
    return "win";
  }
  return outcome(s) == Outcome::kLost ? "lose" : "ok";
}

TEST(G2048Vectors, AllAnswersAgree) {
  std::ifstream file{"tests/vectors/2048.jsonl"};
  int vectors = 0;
  for (std::string line; std::getline(file, line); ++vectors) {
    const json vector = json::parse(line);
    SCOPED_TRACE(vector["id"].get<std::string>());
    const State s = position_of(vector["grid"], vector["objective"]);
    for (const Direction direction : kDirections) {
      const json& expected = vector[name(direction)];
      Board board{s.config.size, s.cells};
      EXPECT_EQ(board.changes(direction), expected["moved"].get<bool>()) << name(direction);
      EXPECT_EQ(board.slide(direction), expected["gain"].get<std::uint64_t>()) << name(direction);
      EXPECT_EQ(drawn(board.cells(), s.config.size),
                drawn(position_of(expected["grid"], 2048).cells, s.config.size))
          << name(direction);
    }
    EXPECT_EQ(state_name(s), vector["state"].get<std::string>());
  }
  EXPECT_EQ(vectors, kVectors);
}

}  // namespace
}  // namespace tesela::g2048
