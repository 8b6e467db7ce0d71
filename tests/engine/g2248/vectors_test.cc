// tests/vectors/2248.jsonl: answers that independent implementations agree on.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/g2248/groups.h"
#include "engine/g2248/hints.h"
#include "engine/g2248/moves.h"
#include "tests/engine/g2248/position.h"
#include "tests/engine/seeds.h"

namespace tesela::g2248 {
namespace {

using nlohmann::json;

constexpr int kVectors = 430;

Board board_of(const json& grid, const json& columns) {
  Board board;
  board.columns = columns.get<std::uint8_t>();
  board.rows = static_cast<std::uint8_t>(grid.size() / board.columns);
  std::ranges::transform(grid, board.cells.begin(), [](const json& value) {
    const auto number = value.get<std::uint64_t>();
    return static_cast<Exponent>(number == 0 ? 0 : std::countr_zero(number));
  });
  return board;
}

Path path_of(const json& places, const Board& board) {
  Path path;
  for (const json& place : places) {
    path.push_back(static_cast<Cell>(place[0].get<int>() * board.columns + place[1].get<int>()));
  }
  return path;
}

std::uint64_t value_of_hint(const std::optional<Hint>& hint) {
  return hint ? tile_value(hint->value) : 0;
}

/// The stages of a move end with clear, fall, refill: those of the vector, and a refill from its
/// range.
void check_stages(const json& vector, const std::vector<Stage>& stages) {
  const json& columns = vector["cols"];
  const Stage& clear = stages.at(stages.size() - 3);
  const Stage& fall = stages.at(stages.size() - 2);
  const Stage& refill = stages.at(stages.size() - 1);
  EXPECT_EQ(test::drawn(clear.board), test::drawn(board_of(vector["stage_sum"], columns)));
  EXPECT_EQ(test::drawn(fall.board), test::drawn(board_of(vector["stage_gravity"], columns)));
  const json& range = vector["refill_exponents"];
  EXPECT_EQ(refill_range(largest(clear.board)),
            (RefillRange{.low = range[0].get<Exponent>(), .high = range[1].get<Exponent>()}));
  for (const Cell cell : refill.refilled) {
    EXPECT_GE(refill.board.cells[cell], range[0].get<Exponent>());
    EXPECT_LE(refill.board.cells[cell], range[1].get<Exponent>());
  }
}

void check_join(const json& vector, Board board) {
  const Path path = path_of(vector["path"], board);
  const Exponent value = check_chain(board, path.cells()).value();
  EXPECT_EQ(tile_value(value), vector["value"].get<std::uint64_t>());
  std::vector<Stage> stages;
  Rng rng = test::dice(1);
  join(board, path.cells(), {.value = value, .goal_reached = false}, rng, CollectStages{stages});
  check_stages(vector, stages);
}

void check_booster(const json& vector, Board board) {
  const Groups groups{board};
  json expected = vector["groups"];
  json found = json::array();
  for (std::size_t index = 0; index < groups.size(); ++index) {
    found.push_back(groups[index].cells);
  }
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
  EXPECT_EQ(check_booster(board, groups).has_value(), !expected.empty());
  if (!expected.empty()) {
    std::vector<Stage> stages;
    Rng rng = test::dice(1);
    collapse(board, groups, rng, CollectStages{stages});
    check_stages(vector, stages);
  }
}

void check_hint(const json& vector, const Board& board, const std::optional<Hint>& hint) {
  EXPECT_EQ(value_of_hint(hint), vector["value"].get<std::uint64_t>());
  if (hint) {
    EXPECT_EQ(check_chain(board, hint->path.cells()), hint->value);
  }
}

TEST(G2248Vectors, AllAnswersAgree) {
  std::ifstream file{"tests/vectors/2248.jsonl"};
  int vectors = 0;
  for (std::string line; std::getline(file, line); ++vectors) {
    const json vector = json::parse(line);
    SCOPED_TRACE(vector["id"].get<std::string>());
    const Board board = board_of(vector["grid"], vector["cols"]);
    const auto kind = vector["kind"].get<std::string>();
    if (kind == "join") {
      check_join(vector, board);
    } else if (kind == "booster") {
      check_booster(vector, board);
    } else if (kind == "max_path") {
      check_hint(vector, board, max_path(board));
    } else if (kind == "max_adjacent") {
      check_hint(vector, board, max_adjacent(board));
    } else {
      ADD_FAILURE() << "there is no kind " << kind;
    }
  }
  EXPECT_EQ(vectors, kVectors);
}

}  // namespace
}  // namespace tesela::g2248
