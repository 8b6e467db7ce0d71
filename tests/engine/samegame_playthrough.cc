#include "tests/engine/samegame_playthrough.h"

#include <sstream>
#include <string_view>
#include <vector>

#include "engine/samegame/samegame.h"
#include "tests/engine/seeds.h"

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

}  // namespace

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

}  // namespace tesela::samegame
