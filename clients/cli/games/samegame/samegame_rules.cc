#include "clients/cli/games/samegame/samegame_rules.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/games/samegame/samegame_json.h"
#include "engine/samegame/samegame.h"

namespace tesela::cli {
namespace {

using samegame::Colour;
using samegame::Move;
using samegame::Setting;
using samegame::State;

/// None when the cell lies outside the board.
Expected<std::optional<Move>> read_move(const Json& question, const Setting& setting) {
  const auto move = question.find("move");
  const bool pair = move != question.end() && move->is_array() && move->size() == 2;
  if (!pair || !move->at(0).is_number_unsigned() || !move->at(1).is_number_unsigned()) {
    return unreadable("'move' must be a row and a column, two numbers that are not negative.");
  }
  const auto row = move->at(0).get<std::uint64_t>();
  const auto column = move->at(1).get<std::uint64_t>();
  if (row >= setting.rows || column >= setting.columns) return std::nullopt;
  return Move{static_cast<std::uint16_t>(row * setting.columns + column)};
}

Json groups_json(const State& s) {
  Json all = Json::array();
  for (const samegame::Group& group : samegame::groups(s)) {
    Json& cells = all.emplace_back(Json::array());
    for (const int cell : group.cells) {
      cells.push_back(Json::array({cell / s.setting.columns, cell % s.setting.columns}));
    }
  }
  return all;
}

Json board_json(const State& s) {
  Json rows = Json::array();
  const std::vector<Colour> colours = samegame::colours_of(s.setting, s.board);
  for (std::size_t cell = 0; cell < colours.size(); ++cell) {
    if (cell % s.setting.columns == 0) rows.push_back(Json::array());
    rows.back().push_back(int{colours[cell]} - 1);
  }
  return rows;
}

void add_played(const State& before, const State& after, Json& answer) {
  const samegame::Outcome outcome = samegame::outcome(after);
  const bool over = outcome != samegame::Outcome::kInPlay;
  const std::uint32_t remaining = after.board.tiles().size();
  answer["group_size"] = before.board.tiles().size() - remaining;
  answer["score"] = after.points;
  answer["after"] = board_json(after);
  answer["remaining"] = remaining;
  answer["game_over"] = over;
  answer["cleared"] = outcome == samegame::Outcome::kCleared;
  answer["terminal_bonus_jsgames"] = over ? samegame::final_bonus(after) : 0;
}

}  // namespace

Expected<Json> answer_samegame_move(const Json& question) {
  const Expected<State> s = read_samegame_state(question);
  if (!s) return std::unexpected(s.error());
  const Expected<std::optional<Move>> move = read_move(question, s->setting);
  if (!move) return std::unexpected(move.error());
  Rng untouched{Seed{}};  // a move draws nothing
  std::optional<State> after;
  if (move->has_value()) {
    auto played = samegame::Game::apply(*s, samegame::kOnlySeat, **move, untouched, NoStages{});
    if (played) after = *played;
  }
  Json answer{{"valid", after.has_value()}, {"groups", groups_json(*s)}};
  if (after) add_played(*s, *after, answer);
  return answer;
}

}  // namespace tesela::cli
