// The golden playthroughs: R-SG-1..5 move by move (tests/playthroughs/README.md).
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/samegame/samegame.h"
#include "tests/engine/playthrough.h"
#include "tests/engine/samegame/position.h"

namespace tesela::samegame {
namespace {

std::string_view name_of(Penalty penalty) {
  switch (penalty) {
    case Penalty::kPerColour:
      return "per_colour";
    case Penalty::kRemaining:
      return "remaining";
    case Penalty::kNone:
      break;
  }
  return "none";
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kInPlay:
      return "in play";
    case Outcome::kCleared:
      return "cleared";
    case Outcome::kStuck:
      break;
  }
  return "stuck";
}

std::string_view name_of(StageKind kind) {
  switch (kind) {
    case StageKind::kRemove:
      return "remove";
    case StageKind::kFall:
      return "fall";
    case StageKind::kCollapse:
      break;
  }
  return "collapse";
}

std::string cell_name(unsigned cell, const Setting& setting) {
  return std::to_string(cell / setting.columns) + "," + std::to_string(cell % setting.columns);
}

/// Its moves are uniform among the groups.
struct ToldSameGame {
  using Game = samegame::Game;

  static void write_config(std::ostream& out, const Config& config) {
    const Setting& setting = config.setting;
    out << "rows " << int{setting.rows} << "\ncolumns " << int{setting.columns} << "\ncolours "
        << int{setting.colours} << "\npenalty " << name_of(setting.penalty) << "\ncells "
        << (config.cells.empty() ? "drawn" : "given") << '\n';
  }

  static void write_position(std::ostream& out, const State& s) {
    const std::vector<Group> all = groups(s);
    out << draw(s.setting, colours_of(s.setting, s.board)) << "score " << score(s) << ", "
        << name_of(outcome(s)) << ", final bonus " << final_bonus(s);
    if (!all.empty()) {
      out << "; groups:";
    }
    for (const Group& group : all) {
      out << ' ' << cell_name(group.cells.front(), s.setting) << 'x' << group.cells.size();
    }
    out << '\n';
  }

  static Move choose(const State& s, std::uint64_t /*number*/, Rng& choices) {
    const std::vector<Group> all = groups(s);
    const Group& group = all[choices.uniform(static_cast<std::uint32_t>(all.size()))];
    return {group.cells[choices.uniform(static_cast<std::uint32_t>(group.cells.size()))]};
  }

  static void write_move(std::ostream& out, const Move& move, const State& before) {
    out << cell_name(move.cell, before.setting);
  }

  static void write_stage(std::ostream& out, const Stage& stage, const State& before) {
    const Setting& setting = before.setting;
    out << name_of(stage.kind);
    for (const std::uint16_t cell : stage.removed) {
      out << ' ' << cell_name(cell, setting);
    }
    for (const Motion& motion : stage.motions) {
      out << ' ' << cell_name(motion.from, setting) << "->" << cell_name(motion.to, setting);
    }
    if (stage.kind == StageKind::kRemove) {
      out << "  +" << stage.points;
    }
  }
};

Config given(std::string_view text, Penalty penalty) {
  const Drawing drawing = read_drawing(text, {.penalty = penalty});
  return {.setting = drawing.setting, .cells = drawing.cells};
}

Config cleared() {
  return given(R"(
      1 2 2 1 3 3
      1 2 2 1 3 3
      1 2 2 1 4 4
      1 2 2 1 4 4 )",
               Penalty::kPerColour);
}

Config usual() {
  return {};
}

Config many_colours() {
  return {.setting = {.rows = 6, .columns = 9, .colours = 9, .penalty = Penalty::kRemaining}};
}

Config wide() {
  return {.setting = {.rows = 2, .columns = 30, .colours = 3, .penalty = Penalty::kNone}};
}

using Played = test::Playthrough<Game>;

class SameGamePlaythrough : public testing::TestWithParam<Played> {};

TEST_P(SameGamePlaythrough, IsAsItWasWritten) {
  test::expect_golden("samegame_" + GetParam().name, test::play_through<ToldSameGame>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Golden, SameGamePlaythrough,
    testing::Values(Played{"usual", "the usual game, to its end", usual(), 1},
                    Played{"given_and_cleared", "a given board that is cleared", cleared(), 2},
                    Played{"many_colours", "nine colours; all tiles that remain cost once",
                           many_colours(), 3},
                    Played{"wide", "two rows; the tiles that are left cost nothing", wide(), 4}),
    [](const auto& game) { return game.param.name; });

}  // namespace
}  // namespace tesela::samegame
