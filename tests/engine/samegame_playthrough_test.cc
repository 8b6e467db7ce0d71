// The golden playthroughs: R-SG-1..5 move by move (tests/playthroughs/README.md).
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/samegame/samegame.h"
#include "tests/engine/golden.h"
#include "tests/engine/samegame_position.h"
#include "tests/engine/seeds.h"

namespace tesela::samegame {
namespace {

/// A whole game of SameGame as a text that a person can follow.
struct Playthrough {
  std::string name;
  std::string about;  // one line, for the reader
  Config config;
  std::uint64_t seed;  // seed_of(seed); the moves are drawn with seed_of(~seed)
};

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

void write_config(std::ostream& out, const Config& config) {
  const Setting& setting = config.setting;
  out << "rows " << int{setting.rows} << "\ncolumns " << int{setting.columns} << "\ncolours "
      << int{setting.colours} << "\npenalty " << name_of(setting.penalty) << "\ncells "
      << (config.cells.empty() ? "drawn" : "given") << '\n';
}

std::string cell_name(unsigned cell, const Setting& setting) {
  return std::to_string(cell / setting.columns) + "," + std::to_string(cell % setting.columns);
}

void write_position(std::ostream& out, const State& s, const std::vector<Group>& all) {
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

void write_stage(std::ostream& out, const Stage& stage, const Setting& setting) {
  out << "  " << name_of(stage.kind);
  for (const std::uint16_t cell : stage.removed) {
    out << ' ' << cell_name(cell, setting);
  }
  for (const Motion& motion : stage.motions) {
    out << ' ' << cell_name(motion.from, setting) << "->" << cell_name(motion.to, setting);
  }
  if (stage.kind == StageKind::kRemove) {
    out << "  +" << stage.points;
  }
  out << '\n';
}

/// Plays it to its end, choosing uniformly among the groups, and writes it down: configuration,
/// seed, then each board, move and stage.
std::string play_through(const Playthrough& game) {
  std::ostringstream out;
  out << "# " << game.about << '\n';
  write_config(out, game.config);
  out << "seed " << test::hex(test::seed_of(game.seed)) << "\n\n";
  Rng rng = test::dice(game.seed);
  Rng choices = test::dice(~game.seed);
  State s = Game::start(game.config, rng).value();
  for (std::uint64_t number = 1;; ++number) {
    const std::vector<Group> all = groups(s);
    write_position(out, s, all);
    if (all.empty()) {
      return out.str();
    }
    const Group& group = all[choices.uniform(static_cast<std::uint32_t>(all.size()))];
    const std::uint16_t cell =
        group.cells[choices.uniform(static_cast<std::uint32_t>(group.cells.size()))];
    out << "\nmove " << number << ": " << cell_name(cell, s.setting) << '\n';
    std::vector<Stage> stages;
    s = Game::apply(s, kOnlySeat, Move{cell}, rng, CollectStages{stages}).value();
    for (const Stage& stage : stages) {
      write_stage(out, stage, s.setting);
    }
  }
}

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

class SameGamePlaythrough : public testing::TestWithParam<Playthrough> {};

TEST_P(SameGamePlaythrough, IsAsItWasWritten) {
  test::expect_golden("samegame_" + GetParam().name, play_through(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Golden, SameGamePlaythrough,
    testing::Values(Playthrough{"usual", "the usual game, to its end", usual(), 1},
                    Playthrough{"given_and_cleared", "a given board that is cleared", cleared(), 2},
                    Playthrough{"many_colours", "nine colours; all tiles that remain cost once",
                                many_colours(), 3},
                    Playthrough{"wide", "two rows; the tiles that are left cost nothing", wide(),
                                4}),
    [](const auto& game) { return game.param.name; });

}  // namespace
}  // namespace tesela::samegame
