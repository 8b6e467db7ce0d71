#include "clients/cli/rules_samegame.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/samegame/samegame.h"

namespace tesela::cli {
namespace {

using samegame::Colour;
using samegame::Move;
using samegame::Setting;
using samegame::State;

constexpr unsigned kColourMax = samegame::kColoursMax - 1U;  // a question's first colour is 0

std::unexpected<Error> unreadable(std::string message) {
  return refuse(ErrorCode::kInvalidArgument, std::move(message));
}

Expected<Colour> read_colour(const Json& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() <= kColourMax) {
    return static_cast<Colour>(value.get<std::uint64_t>() + 1);
  }
  if (value.is_number_integer() && !value.is_number_unsigned() && value == -1) {
    return samegame::kEmpty;
  }
  return unreadable("The cells of 'board' must be -1 (empty) or a colour from 0 to " +
                    std::to_string(kColourMax) + ".");
}

/// Rows and columns of 'board', which is not read any further.
Expected<Setting> read_size(const Json& question) {
  const auto board = question.find("board");
  if (board == question.end() || !board->is_array() || board->empty() ||
      !board->front().is_array()) {
    return unreadable("'board' must be a list of rows, each a list of cells.");
  }
  const std::size_t rows = board->size();
  const std::size_t columns = board->front().size();
  if (rows > samegame::kSideMax || columns < 1 || columns > samegame::kSideMax) {
    return unreadable("A board has 1 to 30 rows and columns, not " + std::to_string(rows) +
                      " and " + std::to_string(columns) + ".");
  }
  return Setting{.rows = static_cast<std::uint8_t>(rows),
                 .columns = static_cast<std::uint8_t>(columns),
                 .colours = samegame::kColoursMax,
                 .penalty = samegame::Penalty::kRemaining};
}

/// The number of rows or columns, which may be given once more.
Expected<void> check_size(const Json& question, const std::string& field, std::uint8_t size) {
  if (!question.contains(field)) return {};
  const Expected<std::uint64_t> given = read_number(question, field);
  if (!given) return std::unexpected(given.error());
  if (*given != size) return unreadable("'" + field + "' is not the size of 'board'.");
  return {};
}

Expected<State> read_position(const Json& question) {
  const Expected<Setting> setting = read_size(question);
  if (!setting) return std::unexpected(setting.error());
  auto checked = check_size(question, "rows", setting->rows);
  if (checked) checked = check_size(question, "cols", setting->columns);
  if (!checked) return std::unexpected(checked.error());
  std::vector<Colour> colours;
  for (const Json& row : question["board"]) {
    if (!row.is_array() || row.size() != setting->columns) {
      return unreadable("The rows of 'board' must be lists of the same length.");
    }
    for (const Json& value : row) {
      const Expected<Colour> colour = read_colour(value);
      if (!colour) return std::unexpected(colour.error());
      colours.push_back(*colour);
    }
  }
  if (const auto settled = validate_settled(*setting, colours); !settled) {
    return std::unexpected(settled.error());
  }
  return State{.setting = *setting,
               .board = samegame::board_of<samegame::LargeBoard>(*setting, colours)};
}

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
  const Expected<State> s = read_position(question);
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
