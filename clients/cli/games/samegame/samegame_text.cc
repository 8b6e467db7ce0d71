#include "clients/cli/games/samegame/samegame_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/games/samegame/samegame_screen.h"
#include "clients/cli/games/terminal_game.h"
#include "engine/samegame/samegame.h"
#include "server/games/samegame/samegame.h"

namespace tesela::cli {
namespace {

using game::v1::SameGameConfig;
using samegame::Colour;
using samegame::Move;
using samegame::Outcome;
using samegame::Setting;
using samegame::Stage;
using samegame::StageKind;
using samegame::State;

constexpr unsigned kColourMax = samegame::kColoursMax - 1U;  // a question's first colour is 0

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

/// Checks the number of rows or columns, which a question may give besides the board.
Expected<void> check_size(const Json& question, const std::string& field, std::uint8_t size) {
  if (!question.contains(field)) return {};
  const Expected<std::uint64_t> given = read_number(question, field);
  if (!given) return std::unexpected(given.error());
  if (*given != size) return unreadable("'" + field + "' is not the size of 'board'.");
  return {};
}

/// "board" (rows of cells), and "rows" and "cols" if they are there: a board as a move leaves it,
/// in a game of all colours in which tiles that are left cost once (Penalty::kRemaining), without
/// points.
Expected<State> read_samegame_state(const Json& question) {
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

/// The groups of a board, and the effect of a move.
Expected<Json> answer_move(const Json& question) {
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

constexpr std::array kQuestions{
    QuestionKind{"move", answer_move},
};

Json grid_of(const State& s) {
  const auto number = [](samegame::Colour colour) { return colour; };
  return rows_json(colours_of(s.setting, s.board), s.setting.columns, number);
}

std::string_view penalty_name(samegame::Penalty penalty) {
  constexpr std::array<std::string_view, 3> kNames{"per_colour", "remaining", "none"};
  return kNames.at(static_cast<std::size_t>(penalty));
}

/// A file of rows of colours, 0 or a point for an empty cell.
void read_board(const std::string& path, SameGameConfig& config) {
  std::ifstream file{path};
  std::uint32_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    const int before = config.cells_size();
    for (const char character : line) {
      if (character == ' ' || character == '\t' || character == '\r') continue;
      if (character != '.' && (character < '0' || character > '9')) {
        throw CLI::ValidationError("--board", "'" + path + "' holds '" + character +
                                                  "', which is neither a digit nor a point");
      }
      config.add_cells(character == '.' ? 0 : static_cast<std::uint32_t>(character - '0'));
    }
    if (config.cells_size() > before) ++rows;
  }
  if (rows == 0) throw CLI::ValidationError("--board", "'" + path + "' holds no board");
  config.set_rows(rows);
  config.set_columns(static_cast<std::uint32_t>(config.cells_size()) / rows);
}

constexpr std::array kOptions{
    FieldOption{"--rows", "rows", "Rows, 2..30 (15)"},
    FieldOption{"--columns", "columns", "Columns, 2..30 (15)"},
    FieldOption{"--colours", "colours", "Colours, 2..9 (5)"},
};

}  // namespace

void SameGameText::Statistics::add(const State& end, std::uint64_t moves) {
  score_.add(samegame::score(end));
  moves_.add(static_cast<std::int64_t>(moves));
  left_.add(static_cast<std::int64_t>(end.board.tiles().size()));
  cleared_ += samegame::outcome(end) == Outcome::kCleared ? 1 : 0;
  ++games_;
}

std::string SameGameText::Statistics::text() const {
  return distribution_head() + score_.line() + moves_.line() + left_.line() +
         "cleared: " + std::to_string(cleared_) + " of " + std::to_string(games_) + "\n";
}

Json SameGameText::Statistics::json() const {
  return {{"score", score_.json()},
          {"moves", moves_.json()},
          {"tiles_left", left_.json()},
          {"cleared", cleared_}};
}

std::string SameGameText::draw(const State& s) {
  return samegame::draw(s.setting, colours_of(s.setting, s.board));
}

std::string SameGameText::say(const State& before, const Move& move) {
  return "group of " + std::to_string(move.cell / before.setting.columns) + "," +
         std::to_string(move.cell % before.setting.columns);
}

std::string SameGameText::tell(std::span<const Stage> stages, const State& after) {
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

std::string SameGameText::standing(const State& s) {
  return "score " + std::to_string(samegame::score(s));
}

std::string SameGameText::outcome(const State& s) {
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

std::int64_t SameGameText::points(const State& s, Seat /*seat*/) {
  return samegame::score(s);
}

Json SameGameText::start_json(const State& s) {
  return {{"config",
           {{"rows", s.setting.rows},
            {"columns", s.setting.columns},
            {"colours", s.setting.colours},
            {"penalty", penalty_name(s.setting.penalty)}}},
          {"grid", grid_of(s)}};
}

Json SameGameText::move_json(const State& before, const Move& move, std::span<const Stage> stages,
                             const State& after) {
  Json json = choice_json(before, move);
  json.update({{"removed", stages.front().removed.size()},
               {"grid", grid_of(after)},
               {"score", samegame::score(after)}});
  return json;
}

Json SameGameText::choice_json(const State& before, const Move& move) {
  return {{"cell", place_json(move.cell, before.setting.columns)}};
}

Json SameGameText::end_json(const State& s) {
  return {{"score", samegame::score(s)}, {"tiles_left", s.board.tiles().size()}};
}

Expected<State> SameGameText::read_position(const Json& json) {
  Expected<State> s = read_samegame_state(json);
  if (!s) return s;
  const auto colours = colours_of(s->setting, s->board);
  s->setting.colours = std::max(samegame::kColoursMin, std::ranges::max(colours));
  s->setting.penalty = samegame::Penalty::kPerColour;
  return s;
}

void SameGameText::add_options(CLI::App& app, SameGameConfig& config) {
  add_field_options(app, config, kOptions);
  const std::map<std::string, game::v1::SameGamePenalty> penalties{
      {"per-colour", game::v1::SAME_GAME_PENALTY_PER_COLOUR},
      {"remaining", game::v1::SAME_GAME_PENALTY_REMAINING},
      {"none", game::v1::SAME_GAME_PENALTY_NONE}};
  app.add_option_function<std::string>(
         "--penalty",
         [&config, penalties](const std::string& name) { config.set_penalty(penalties.at(name)); },
         "The penalty for tiles that are left: per-colour, remaining or none (per-colour)")
      ->check(CLI::IsMember(penalties));
  app.add_option_function<std::string>(
         "--board", [&config](const std::string& path) { read_board(path, config); },
         "Play this board: a file with a line a row, a digit a tile, 0 or a point for none")
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
}

constinit const TerminalGame kTerminalSameGame =
    terminal_game<SameGameText, games::SameGameCodec, SameGameScreen>(
        {.new_game = "A new game of SameGame",
         .position = R"("board")",
         .questions = kQuestions,
         .questions_help = R"(
kind "move" (SameGame): "board" (rows of cells, -1 is empty, else a colour from 0) and "move" ([row,
column]) are answered with "valid" and "groups"; a valid one also with "group_size", "score",
"after", "remaining", "game_over", "cleared" and "terminal_bonus_jsgames" (all tiles that are left
cost once).
)"});

}  // namespace tesela::cli
