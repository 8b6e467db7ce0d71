// tests/vectors/samegame.jsonl: answers that independent implementations agree on; and the standard
// positions of samegame20.txt. There an empty cell is -1 and the first colour 0.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/samegame/samegame.h"
#include "tests/engine/seeds.h"

namespace tesela::samegame {
namespace {

using nlohmann::json;

constexpr int kVectors = 181;

/// The position, which may be smaller than those that are played: a single row, a single column.
State position_of(const json& vector) {
  State s{.setting = {.rows = vector["rows"],
                      .columns = vector["cols"],
                      .colours = kColoursMax,
                      .penalty = Penalty::kRemaining}};
  std::vector<Colour> colours;
  for (const json& row : vector["board"]) {
    for (const json& colour : row) {
      colours.push_back(static_cast<Colour>(colour.get<int>() + 1));
    }
  }
  s.board = board_of<LargeBoard>(s.setting, colours);
  return s;
}

json groups_json(const State& s) {
  json all = json::array();
  for (const Group& group : groups(s)) {
    json cells = json::array();
    for (const std::uint16_t cell : group.cells) {
      cells.push_back({cell / s.setting.columns, cell % s.setting.columns});
    }
    all.push_back(cells);
  }
  return all;
}

json board_json(const State& s) {
  json rows = json::array();
  const std::vector<Colour> colours = colours_of(s.setting, s.board);
  for (std::size_t cell = 0; cell < colours.size(); ++cell) {
    if (cell % s.setting.columns == 0) {
      rows.push_back(json::array());
    }
    rows.back().push_back(int{colours[cell]} - 1);
  }
  return rows;
}

void check_played(const State& s, const std::vector<Stage>& stages, const json& vector) {
  const bool over = Game::result(s).has_value();
  EXPECT_EQ(stages.front().removed.size(), vector["group_size"].get<std::size_t>());
  EXPECT_EQ(s.points, vector["score"].get<int>());
  EXPECT_EQ(board_json(s), vector["after"]);
  EXPECT_EQ(s.board.tiles().size(), vector["remaining"].get<unsigned>());
  EXPECT_EQ(over, vector["game_over"].get<bool>());
  EXPECT_EQ(outcome(s) == Outcome::kCleared, vector["cleared"].get<bool>());
  EXPECT_EQ(over ? final_bonus(s) : 0, vector["terminal_bonus_jsgames"].get<int>());
}

TEST(SameGameVectors, AllAnswersAgree) {
  std::ifstream file{"tests/vectors/samegame.jsonl"};
  int vectors = 0;
  for (std::string line; std::getline(file, line); ++vectors) {
    const json vector = json::parse(line);
    SCOPED_TRACE(vector["id"].get<std::string>());
    const State s = position_of(vector);
    EXPECT_EQ(groups_json(s), vector["groups"]);
    const auto row = vector["move"][0].get<std::uint16_t>();
    const auto column = vector["move"][1].get<std::uint16_t>();
    const Move move{static_cast<std::uint16_t>(row * s.setting.columns + column)};
    Rng rng = test::dice(1);
    std::vector<Stage> stages;
    const Expected<State> after = Game::apply(s, kOnlySeat, move, rng, CollectStages{stages});
    ASSERT_EQ(after.has_value(), vector["valid"].get<bool>());
    if (after) {
      check_played(*after, stages, vector);
    }
  }
  EXPECT_EQ(vectors, kVectors);
}

// R-SG-1
TEST(SameGameVectors, StandardPositionsAreGivenBoards) {
  std::ifstream file{"tests/vectors/samegame20.txt"};
  std::vector<Colour> colours;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) {
      continue;
    }
    for (const char c : line) {
      if (c != ' ') {
        colours.push_back(static_cast<Colour>(c - '0' + 1));
      }
    }
  }
  ASSERT_EQ(colours.size(), 20U * 225);
  for (auto board = colours.begin(); board != colours.end(); board += 225) {
    Rng rng = test::dice(1);
    const auto s = SmallGame::start({.cells = {board, board + 225}}, rng);
    ASSERT_TRUE(s.has_value()) << s.error().message;
    EXPECT_TRUE(std::ranges::equal(colours_of(s->setting, s->board),
                                   std::ranges::subrange(board, board + 225)));
    EXPECT_EQ(outcome(*s), Outcome::kInPlay);
  }
}

}  // namespace
}  // namespace tesela::samegame
