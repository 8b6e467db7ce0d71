// tests/vectors/azul.jsonl and azul_games.jsonl: answers that independent implementations agree on.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/engine/azul/position.h"
#include "tests/engine/seeds.h"

namespace tesela::azul {
namespace {

using nlohmann::json;

constexpr int kMarkerInVectors = 5;
const NoStages kUntold;

Tiles tiles_of(const json& counts) {
  return Tiles{counts.get<std::array<std::uint8_t, kColourCount>>()};
}

json tiles_json(const Tiles& tiles) {
  json counts = json::array();
  for (const Colour colour : kColours) {
    counts.push_back(tiles.count(colour));
  }
  return counts;
}

Wall wall_of(const json& rows) {
  Wall wall;
  for (unsigned cell = 0; cell < kRows * kRows; ++cell) {
    if (rows[cell / kRows][cell % kRows] == 1) {
      wall.tile(cell);
    }
  }
  return wall;
}

json wall_json(const Wall& wall) {
  json rows = json::array();
  for (unsigned cell = 0; cell < kRows * kRows; ++cell) {
    if (cell % kRows == 0) {
      rows.push_back(json::array());
    }
    rows.back().push_back(wall.has(cell) ? 1 : 0);
  }
  return rows;
}

json lines_json(const Board& board) {
  json lines = json::array();
  for (const PatternLine& line : board.lines) {
    lines.push_back({line.holds - 1, line.count});
  }
  return lines;
}

Board board_of(const json& vector) {
  Board board;
  board.score = vector["score"];
  board.wall = wall_of(vector["wall"]);
  for (unsigned row = 0; row < kRows; ++row) {
    const json& line = vector["lines"][row];
    board.lines[row] = {.holds = static_cast<Piece>(line[0].get<int>() + 1), .count = line[1]};
  }
  for (const int piece : vector["floor"]) {
    board.floor.add(piece == kMarkerInVectors ? kMarker : static_cast<Piece>(piece + 1), 1);
  }
  return board;
}

State state_of(const json& vector) {
  State s;
  s.table.players = vector["players"];
  for (std::size_t factory = 0; factory < s.table.factories().size(); ++factory) {
    s.table.factories()[factory] = tiles_of(vector["factories"][factory]);
  }
  s.table.centre() = tiles_of(vector["center"]);
  s.table.bag = tiles_of(vector["bag"]);
  s.table.lid = tiles_of(vector["lid"]);
  for (std::size_t seat = 0; seat < s.table.players; ++seat) {
    s.table.boards[seat] = board_of(vector["boards"][seat]);
  }
  const int next_first = vector["next_first"];
  s.table.next_starter = next_first < 0 ? kNobody : Seat{static_cast<std::uint8_t>(next_first)};
  EXPECT_EQ(vector["token_in_center"].get<bool>(), s.table.marker_in_centre());
  s.turn.value = vector.value("current", std::uint8_t{0});
  s.round = 1;
  return s;
}

Move move_of(const json& vector) {
  const int source = vector[0];
  return {.source = source < 0 ? kCentre : static_cast<Source>(source),
          .colour = static_cast<Colour>(vector[1].get<int>()),
          .target = vector[2]};
}

void check_legal(const json& vector) {
  std::vector<Move> expected;
  for (const json& move : vector["moves"]) {
    expected.push_back(move_of(move));
  }
  std::vector<Move> legal = test::legal(state_of(vector["state"]));
  // The vectors list the centre, which is -1 there, before the displays.
  std::ranges::rotate(legal, std::ranges::find(legal, kCentre, &Move::source));
  EXPECT_EQ(legal, expected);
}

void check_apply(const json& vector) {
  Rng rng = test::dice(1);
  const State next = test::play(state_of(vector["state"]), move_of(vector["move"]), rng);
  EXPECT_EQ(next, state_of(vector["next"]));
}

/// What `round_end` and `game` tell of the end of a round.
void check_after(const Table& table, const json& after) {
  for (std::size_t seat = 0; seat < table.players; ++seat) {
    const Board& board = table.boards[seat];
    EXPECT_EQ(board.score, after["scores"][seat].get<unsigned>());
    EXPECT_EQ(wall_json(board.wall), after["walls"][seat]);
    EXPECT_EQ(lines_json(board), after["lines"][seat]);
  }
  EXPECT_EQ(tiles_json(table.lid), after["lid"]);
}

void check_round_end(const json& vector) {
  Table table = state_of(vector["state"]).table;
  Telling tell{table, kUntold};
  end_round(table, tell);
  check_after(table, vector["after"]);
  EXPECT_EQ(has_complete_row(table), vector["after"]["row_completed"].get<bool>());
}

void check_tiling(const json& vector) {
  Table table;
  table.players = kPlayersMin;
  Board& board = table.boards[0];
  board.wall = wall_of(vector["wall"]);
  for (unsigned row = 0; row < kRows; ++row) {
    const int colour = vector["full_lines"][row];
    if (colour >= 0) {
      board.lines[row] = {.holds = static_cast<Piece>(colour + 1),
                          .count = static_cast<std::uint8_t>(line_size(row))};
    }
  }
  std::vector<Stage> stages;
  const CollectStages collect{stages};
  Telling tell{table, collect};
  end_round(table, tell);
  std::array<int, kRows> points{};
  for (const Stage& stage : stages) {
    points[stage.tiled / kRows] = stage.points;
  }
  EXPECT_EQ(json(points), vector["points_per_line"]);
  EXPECT_EQ(board.score, vector["points"].get<unsigned>());
  EXPECT_EQ(wall_json(board.wall), vector["wall_after"]);
}

void check_bonus(const json& vector) {
  State s;
  s.table.players = kPlayersMin;
  s.table.boards[0].wall = wall_of(vector["wall"]);
  const Completed completed = s.table.boards[0].wall.completed();
  EXPECT_EQ(completed.rows, vector["rows"].get<unsigned>());
  EXPECT_EQ(completed.columns, vector["cols"].get<unsigned>());
  EXPECT_EQ(completed.colours, vector["colors"].get<unsigned>());
  Telling tell{s.table, kUntold};
  finish(s, tell);
  EXPECT_EQ(s.table.boards[0].score, vector["bonus"].get<unsigned>());
}

void check_refill(const json& vector) {
  Table table;
  table.players = vector["players"];
  table.bag = tiles_of(vector["bag"]);
  table.lid = tiles_of(vector["lid"]);
  Rng rng = test::dice(1);
  Telling tell{table, kUntold};
  deal(table, rng, tell);
  for (std::size_t factory = 0; factory < table.factories().size(); ++factory) {
    EXPECT_EQ(table.factories()[factory].total(), vector["factory_sizes"][factory].get<unsigned>());
  }
  EXPECT_EQ(table.bag.total(), vector["bag_total_after"].get<unsigned>());
  EXPECT_EQ(table.lid.total(), vector["lid_total_after"].get<unsigned>());
  Tiles dealt;
  for (const Tiles& factory : table.factories()) {
    dealt += factory;
  }
  const bool all_dealt = std::ranges::all_of(kColours, [&](Colour colour) {
    return dealt.count(colour) >= tiles_of(vector["bag"]).count(colour);
  });
  EXPECT_EQ(all_dealt, vector["all_old_bag_tiles_dealt"].get<bool>());
}

json winners_of(const Result& result) {
  json winners = json::array();
  for (std::size_t seat = 0; seat < result.seats; ++seat) {
    if (result.standings[seat].rank == 1) {
      winners.push_back(seat);
    }
  }
  return winners;
}

void check_winner(const json& vector) {
  std::vector<Finish> seats(vector["final_scores"].size());
  for (std::size_t seat = 0; seat < seats.size(); ++seat) {
    seats[seat] = {vector["final_scores"][seat], vector["complete_rows"][seat]};
  }
  EXPECT_EQ(winners_of(rank(seats)), vector["winners"]);
}

/// Puts on the table what a round of a game was dealt.
void deal_as_told(State& s, const json& round) {
  for (std::size_t factory = 0; factory < s.table.factories().size(); ++factory) {
    s.table.factories()[factory] = tiles_of(round["factories"][factory]);
  }
  s.table.bag = tiles_of(round["bag_after_deal"]);
  s.table.lid = tiles_of(round["lid_after_deal"]);
  s.turn.value = round["start_player"];
  s.starter = s.turn;
  s.table.next_starter = kNobody;
}

/// Plays a round to its end, but for the next deal.
void play_round(State& s, const json& round) {
  Telling tell{s.table, kUntold};
  for (const json& vector : round["moves"]) {
    const Move move = move_of(vector);
    ASSERT_TRUE(choices(s).has(move)) << vector;
    ASSERT_FALSE(round_over(s.table)) << vector;
    take_turn(s.table, s.turn, move, tell);
    s.turn.value = static_cast<std::uint8_t>((s.turn.value + 1) % s.table.players);
  }
  ASSERT_TRUE(round_over(s.table));
  count_round(s, end_round(s.table, tell));
}

void check_final(const State& s, const json& vector) {
  for (std::size_t seat = 0; seat < s.table.players; ++seat) {
    const json& expected = vector["final"][seat];
    const Board& board = s.table.boards[seat];
    const Completed completed = board.wall.completed();
    EXPECT_EQ(completed.rows, expected["rows"].get<unsigned>());
    EXPECT_EQ(completed.columns, expected["cols"].get<unsigned>());
    EXPECT_EQ(completed.colours, expected["colors"].get<unsigned>());
    EXPECT_EQ(board.score, expected["total"].get<unsigned>());
  }
  EXPECT_EQ(winners_of(Game::result(s).value()), vector["winners"]);
}

void check_game(const json& vector) {
  State s;
  s.table.players = vector["players"];
  s.untiled_rounds_max = kUntiledRoundsMax;
  for (const json& round : vector["rounds"]) {
    EXPECT_FALSE(has_complete_row(s.table)) << "a round is played after the end";
    EXPECT_FALSE(untiled_too_long(s)) << "a round is played after the end";
    deal_as_told(s, round);
    play_round(s, round);
    check_after(s.table, round["after"]);
    EXPECT_EQ(tiles_json(s.table.bag), round["after"]["bag"]);
    const bool nobody = s.table.marker_in_centre();
    EXPECT_EQ(nobody, round["after"]["nobody_took_centre"].get<bool>());
    EXPECT_EQ((nobody ? s.starter : s.table.next_starter).value,
              round["after"]["next_start"].get<unsigned>());
  }
  Rng rng = test::dice(1);
  Telling tell{s.table, kUntold};
  go_on(s, rng, tell);
  ASSERT_TRUE(s.over);
  const std::map<std::string, Outcome> ends{{"row", Outcome::kRowComplete},
                                            {"untiled", Outcome::kNoTiling}};
  EXPECT_EQ(outcome(s), ends.at(vector["end"]));
  check_final(s, vector);
}

/// Checks every line of a file; returns how many there are.
int check_file(const std::string& path) {
  const std::map<std::string, void (*)(const json&)> checks{
      {"legal", check_legal},   {"apply", check_apply}, {"round_end", check_round_end},
      {"tiling", check_tiling}, {"bonus", check_bonus}, {"refill", check_refill},
      {"winner", check_winner}, {"game", check_game}};
  std::ifstream file{path};
  int vectors = 0;
  for (std::string line; std::getline(file, line); ++vectors) {
    const json vector = json::parse(line);
    SCOPED_TRACE(vector["id"].get<std::string>());
    checks.at(vector["kind"])(vector);
  }
  return vectors;
}

// R-AZ-1..12
TEST(AzulVectors, AllAnswersAgree) {
  EXPECT_EQ(check_file("tests/vectors/azul.jsonl"), 498);
}

// R-AZ-1..12
TEST(AzulVectors, WholeGamesAreReplayedRoundByRound) {
  EXPECT_EQ(check_file("tests/vectors/azul_games.jsonl"), 24);
}

}  // namespace
}  // namespace tesela::azul
