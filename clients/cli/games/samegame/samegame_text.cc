#include "clients/cli/games/samegame/samegame_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "clients/cli/games/samegame/samegame_json.h"
#include "clients/cli/simulate/grid_json.h"
#include "engine/samegame/text.h"

namespace tesela::cli {
namespace {

using samegame::Move;
using samegame::Outcome;
using samegame::Stage;
using samegame::StageKind;
using samegame::State;

Json grid_of(const State& s) {
  const auto number = [](samegame::Colour colour) { return colour; };
  return rows_json(colours_of(s.setting, s.board), s.setting.columns, number);
}

std::string_view penalty_name(samegame::Penalty penalty) {
  constexpr std::array<std::string_view, 3> kNames{"per_colour", "remaining", "none"};
  return kNames.at(static_cast<std::size_t>(penalty));
}

}  // namespace

void SameGameWords::Tally::add(const State& end, std::uint64_t moves) {
  score_.add(samegame::score(end));
  moves_.add(static_cast<std::int64_t>(moves));
  left_.add(static_cast<std::int64_t>(end.board.tiles().size()));
  cleared_ += samegame::outcome(end) == Outcome::kCleared ? 1 : 0;
  ++games_;
}

std::string SameGameWords::Tally::text() const {
  return distribution_head() + score_.line() + moves_.line() + left_.line() +
         "cleared: " + std::to_string(cleared_) + " of " + std::to_string(games_) + "\n";
}

Json SameGameWords::Tally::json() const {
  return {{"score", score_.json()},
          {"moves", moves_.json()},
          {"tiles_left", left_.json()},
          {"cleared", cleared_}};
}

std::string SameGameWords::draw(const State& s) {
  return samegame::draw(s.setting, colours_of(s.setting, s.board));
}

std::string SameGameWords::say(const State& before, const Move& move) {
  return "group of " + std::to_string(move.cell / before.setting.columns) + "," +
         std::to_string(move.cell % before.setting.columns);
}

std::string SameGameWords::tell(std::span<const Stage> stages, const State& after) {
  constexpr std::array<std::string_view, 3> kNames{"remove", "fall", "collapse"};
  std::string text;
  for (const Stage& stage : stages) {
    text += kNames.at(static_cast<std::size_t>(stage.kind));
    if (stage.kind == StageKind::kRemove) {
      text += " " + std::to_string(stage.removed.size()) + ", +" + std::to_string(stage.points);
    }
    text += '\n' + samegame::draw(after.setting, stage.cells);
  }
  return text;
}

std::string SameGameWords::standing(const State& s) {
  return "score " + std::to_string(samegame::score(s));
}

std::string SameGameWords::outcome(const State& s) {
  switch (samegame::outcome(s)) {
    case Outcome::kCleared:
      return "cleared";
    case Outcome::kStuck:
      return "stuck";
    case Outcome::kInPlay:
      break;
  }
  return "stopped";
}

std::int64_t SameGameWords::points(const State& s, Seat /*seat*/) {
  return samegame::score(s);
}

Json SameGameWords::start_json(const State& s) {
  return {{"config",
           {{"rows", s.setting.rows},
            {"columns", s.setting.columns},
            {"colours", s.setting.colours},
            {"penalty", penalty_name(s.setting.penalty)}}},
          {"grid", grid_of(s)}};
}

Json SameGameWords::move_json(const State& before, const Move& move, std::span<const Stage> stages,
                              const State& after) {
  Json json = choice_json(before, move);
  json.update({{"removed", stages.front().removed.size()},
               {"grid", grid_of(after)},
               {"score", samegame::score(after)}});
  return json;
}

Json SameGameWords::choice_json(const State& before, const Move& move) {
  return {{"cell", place_json(move.cell, before.setting.columns)}};
}

Json SameGameWords::end_json(const State& s) {
  return {{"score", samegame::score(s)}, {"tiles_left", s.board.tiles().size()}};
}

Expected<State> SameGameWords::read_position(const Json& json) {
  Expected<State> s = read_samegame_state(json);
  if (!s) return s;
  const auto colours = colours_of(s->setting, s->board);
  s->setting.colours = std::max(samegame::kColoursMin, std::ranges::max(colours));
  s->setting.penalty = samegame::Penalty::kPerColour;
  return s;
}

}  // namespace tesela::cli
