#include "clients/cli/games/azul/azul_json.h"

#include <array>
#include <span>
#include <string>

namespace tesela::cli {
namespace {

using azul::kRows;

constexpr int kCentreNumber = -1;
constexpr int kMarkerNumber = 5;
constexpr int kNoColour = -1;
constexpr int kColourMax = static_cast<int>(azul::kColourCount) - 1;
constexpr const char* kUntiledRounds = "untiled_rounds";
constexpr int kScoreMax = 10'000;  // far above the score of any game

/// A pattern line as [colour, count], [-1, 0] when it is empty.
azul::PatternLine read_line(const Json& value, unsigned row, JsonReader& reader) {
  const auto pair = reader.list(value, "lines", 2, 2);
  const int colour = reader.number(reader.item(pair, 0), "lines", kNoColour, kColourMax);
  const int count =
      reader.number(reader.item(pair, 1), "lines", 0, static_cast<int>(azul::line_size(row)));
  if ((colour == kNoColour) != (count == 0)) {
    reader.refuse("A line of 'lines' without a colour is [-1, 0].");
  }
  return {.holds = static_cast<azul::Piece>(colour + 1), .count = static_cast<std::uint8_t>(count)};
}

azul::FloorLine read_floor(const Json& value, JsonReader& reader) {
  azul::FloorLine floor;
  for (const Json& item : reader.list(value, "floor", 0, azul::FloorLine::kSpaces)) {
    const int piece = reader.number(item, "floor", 0, kMarkerNumber);
    floor.add(static_cast<azul::Piece>(piece + 1), 1);
  }
  return floor;
}

azul::Board read_board(const Json& value, JsonReader& reader) {
  azul::Board board;
  board.score = static_cast<std::uint16_t>(
      reader.number(reader.field(value, "score"), "score", 0, kScoreMax));
  const auto lines = reader.list(reader.field(value, "lines"), "lines", kRows, kRows);
  for (unsigned row = 0; row < kRows; ++row) {
    board.lines[row] = read_line(reader.item(lines, row), row, reader);
  }
  board.wall = read_azul_wall(reader.field(value, "wall"), "wall", reader);
  board.floor = read_floor(reader.field(value, "floor"), reader);
  return board;
}

Json lines_json(const azul::Board& board) {
  Json lines = Json::array();
  for (const azul::PatternLine& line : board.lines) {
    lines.push_back(Json::array({line.holds - 1, line.count}));
  }
  return lines;
}

Json board_json(const azul::Board& board) {
  Json floor = Json::array();
  for (unsigned space = 0; space < board.floor.count(); ++space) {
    floor.push_back(board.floor.piece(space) - 1);
  }
  return Json{{"score", board.score},
              {"lines", lines_json(board)},
              {"wall", azul_wall_json(board.wall)},
              {"floor", std::move(floor)}};
}

// The marker's number there is one less than its number here, as every colour's is.
static_assert(kMarkerNumber + 1 == azul::kMarker);

}  // namespace

azul::Tiles read_azul_tiles(const Json& value, const std::string& name, JsonReader& reader) {
  azul::Tiles tiles;
  const auto counts = reader.list(value, name, azul::kColourCount, azul::kColourCount);
  for (const azul::Colour colour : azul::kColours) {
    const Json& count = reader.item(counts, static_cast<std::size_t>(colour));
    tiles.add(colour,
              static_cast<unsigned>(reader.number(count, name, 0, int{azul::kTilesPerColour})));
  }
  return tiles;
}

azul::Wall read_azul_wall(const Json& value, const std::string& name, JsonReader& reader) {
  azul::Wall wall;
  const auto rows = reader.list(value, name, kRows, kRows);
  for (unsigned row = 0; row < kRows; ++row) {
    const auto cells = reader.list(reader.item(rows, row), name, kRows, kRows);
    for (unsigned column = 0; column < kRows; ++column) {
      if (reader.number(reader.item(cells, column), name, 0, 1) == 1) {
        wall.tile(row * kRows + column);
      }
    }
  }
  return wall;
}

azul::Move read_azul_move(const Json& value, JsonReader& reader) {
  const auto three = reader.list(value, "move", 3, 3);
  const int source = reader.number(reader.item(three, 0), "move", kCentreNumber,
                                   static_cast<int>(azul::kFactoriesMax) - 1);
  const int colour = reader.number(reader.item(three, 1), "move", 0, kColourMax);
  const int target = reader.number(reader.item(three, 2), "move", 0, azul::kFloor);
  return {.source = source == kCentreNumber ? azul::kCentre : static_cast<azul::Source>(source),
          .colour = static_cast<azul::Colour>(colour),
          .target = static_cast<azul::Target>(target)};
}

void read_azul_factories(const Json& value, azul::Table& table, JsonReader& reader) {
  const std::size_t count = azul::factory_count(table.players);
  const auto factories = reader.list(value, "factories", count, count);
  for (std::size_t factory = 0; factory < count; ++factory) {
    table.sources[factory] = read_azul_tiles(reader.item(factories, factory), "factories", reader);
  }
}

azul::State read_azul_state(const Json& value, JsonReader& reader) {
  azul::State s;
  s.round = 1;
  const int players = reader.number(reader.field(value, "players"), "players", azul::kPlayersMin,
                                    azul::kPlayersMax);
  s.table.players = static_cast<std::uint8_t>(players);
  read_azul_factories(reader.field(value, "factories"), s.table, reader);
  s.table.centre() = read_azul_tiles(reader.field(value, "center"), "center", reader);
  s.table.bag = read_azul_tiles(reader.field(value, "bag"), "bag", reader);
  s.table.lid = read_azul_tiles(reader.field(value, "lid"), "lid", reader);
  s.turn.value = static_cast<std::uint8_t>(
      reader.number(reader.field(value, "current"), "current", 0, players - 1));
  const int taker = reader.number(reader.field(value, "next_first"), "next_first", -1, players - 1);
  s.table.next_starter = taker < 0 ? azul::kNobody : Seat{static_cast<std::uint8_t>(taker)};
  if (reader.boolean(reader.field(value, "token_in_center"), "token_in_center") != (taker < 0)) {
    reader.refuse("'token_in_center' is true exactly when 'next_first' is -1.");
  }
  s.untiled_rounds_max = azul::kUntiledRoundsMax;
  if (value.is_object() && value.contains(kUntiledRounds)) {
    s.untiled_rounds = static_cast<std::uint8_t>(
        reader.number(value[kUntiledRounds], kUntiledRounds, 0, azul::kUntiledRoundsMax - 1));
  }
  const auto count = static_cast<std::size_t>(players);
  const auto boards = reader.list(reader.field(value, "boards"), "boards", count, count);
  for (std::size_t seat = 0; seat < count; ++seat) {
    s.table.boards[seat] = read_board(reader.item(boards, seat), reader);
  }
  return s;
}

Json azul_tiles_json(const azul::Tiles& tiles) {
  Json counts = Json::array();
  for (const azul::Colour colour : azul::kColours) {
    counts.push_back(tiles.count(colour));
  }
  return counts;
}

Json azul_wall_json(const azul::Wall& wall) {
  Json rows = Json::array();
  for (unsigned row = 0; row < kRows; ++row) {
    Json& cells = rows.emplace_back(Json::array());
    for (unsigned column = 0; column < kRows; ++column) {
      cells.push_back(wall.has(row * kRows + column) ? 1 : 0);
    }
  }
  return rows;
}

Json azul_move_json(const azul::Move& move) {
  const int source = move.source == azul::kCentre ? kCentreNumber : int{move.source};
  return Json::array({source, static_cast<int>(move.colour), move.target});
}

Json azul_state_json(const azul::State& s) {
  Json factories = Json::array();
  for (const azul::Tiles& factory : s.table.factories()) {
    factories.push_back(azul_tiles_json(factory));
  }
  Json boards = Json::array();
  for (std::size_t seat = 0; seat < s.table.players; ++seat) {
    boards.push_back(board_json(s.table.boards[seat]));
  }
  const bool in_centre = s.table.marker_in_centre();
  Json json{{"players", s.table.players},
            {"factories", std::move(factories)},
            {"center", azul_tiles_json(s.table.centre())},
            {"token_in_center", in_centre},
            {"current", s.turn.value},
            {"next_first", in_centre ? -1 : int{s.table.next_starter.value}},
            {"boards", std::move(boards)},
            {"bag", azul_tiles_json(s.table.bag)},
            {"lid", azul_tiles_json(s.table.lid)}};
  // The questions of tests/vectors do not have it.
  if (s.untiled_rounds > 0) json[kUntiledRounds] = s.untiled_rounds;
  return json;
}

Json azul_after_json(const azul::Table& table) {
  Json scores = Json::array();
  Json walls = Json::array();
  Json lines = Json::array();
  for (const azul::Board& board : std::span{table.boards}.first(table.players)) {
    scores.push_back(board.score);
    walls.push_back(azul_wall_json(board.wall));
    lines.push_back(lines_json(board));
  }
  return Json{{"scores", std::move(scores)},
              {"walls", std::move(walls)},
              {"lines", std::move(lines)},
              {"lid", azul_tiles_json(table.lid)}};
}

Json azul_bonus_json(const azul::Wall& wall) {
  const azul::Completed completed = wall.completed();
  return Json{{"rows", completed.rows},
              {"cols", completed.columns},
              {"colors", completed.colours},
              {"bonus", azul::bonus(completed)}};
}

}  // namespace tesela::cli
