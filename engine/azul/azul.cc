#include "engine/azul/azul.h"

#include <array>
#include <string>

namespace tesela::azul {

namespace {

std::unexpected<Error> illegal(std::string message) {
  return refuse(ErrorCode::kIllegalMove, std::move(message));
}

/// Whether it names a source, a colour and a target that there are; unless it does, nothing may be
/// looked up by it.
Expected<void> check_names(const Table& table, const Move& move) {
  const std::size_t factories = factory_count(table.players);
  if (move.source >= factories && move.source != kCentre) {
    return illegal("There is no such factory display; this table has 0 to " +
                   std::to_string(factories - 1) + ".");
  }
  if (static_cast<std::size_t>(move.colour) >= kColourCount) {
    return illegal("There is no such colour; there are blue, yellow, red, black and white.");
  }
  if (move.target > kFloor) {
    return illegal("There is no such pattern line; there are 0 to 4, and the floor line.");
  }
  return {};
}

/// Why tiles that are there cannot go to a pattern line (R-AZ-5).
std::unexpected<Error> why_not_placed(const Board& board, const Move& move) {
  const PatternLine line = board.lines[move.target];
  if (line.count == line_size(move.target)) {
    return illegal("That pattern line is full.");
  }
  if (line.holds != kNoPiece && line.holds != piece_of(move.colour)) {
    return illegal("That pattern line holds " + std::string{name(colour_of(line.holds))} +
                   " tiles.");
  }
  return illegal("The wall has its " + std::string{name(move.colour)} +
                 " tile in that row already.");
}

}  // namespace

Outcome outcome(const State& s) {
  if (!s.over) {
    return Outcome::kInPlay;
  }
  if (has_complete_row(s.table)) {
    return Outcome::kRowComplete;
  }
  const bool nothing_to_deal = s.table.bag.empty() && s.table.lid.empty();
  return nothing_to_deal ? Outcome::kNoTiles : Outcome::kNoTiling;
}

Result rank(std::span<const Finish> seats) {
  const auto better = [](const Finish& a, const Finish& b) {
    return a.points != b.points ? a.points > b.points : a.complete_rows > b.complete_rows;
  };
  Result result{.seats = static_cast<std::uint8_t>(seats.size()), .standings = {}};
  for (std::size_t seat = 0; seat < seats.size(); ++seat) {
    const auto ahead = std::ranges::count_if(
        seats, [&](const Finish& other) { return better(other, seats[seat]); });
    result.standings[seat] = {.points = seats[seat].points,
                              .rank = static_cast<std::uint8_t>(1 + ahead)};
  }
  return result;
}

Expected<State> Game::start(const Config& config, Rng& rng) {
  if (auto valid = validate(config); !valid) {
    return std::unexpected(std::move(valid).error());
  }
  State s;
  s.table.players = config.players;
  s.untiled_rounds_max = config.untiled_rounds_max;
  for (const Colour colour : kColours) {
    s.table.bag.add(colour, kTilesPerColour);
  }
  s.round = 1;
  s.starter.value = static_cast<std::uint8_t>(rng.uniform(config.players));
  s.turn = s.starter;
  const NoStages untold;
  Telling tell{s.table, untold};
  deal(s.table, rng, tell);
  return s;
}

Result Game::standings(const State& s) {
  std::array<Finish, kPlayersMax> seats{};
  for (std::size_t seat = 0; seat < s.table.players; ++seat) {
    const Board& board = s.table.boards[seat];
    seats[seat] = {.points = board.score, .complete_rows = board.wall.completed().rows};
  }
  return rank(std::span{seats}.first(s.table.players));
}

std::optional<Result> Game::result(const State& s) {
  if (!s.over) {
    return std::nullopt;
  }
  return standings(s);
}

Expected<void> Game::check(const State& s, Seat seat, const Move& move) {
  if (s.over) {
    return refuse(ErrorCode::kGameOver, "The game is over.");
  }
  if (seat != s.turn) {
    return refuse(ErrorCode::kNotYourTurn,
                  "It is the turn of seat " + std::to_string(s.turn.value) + ".");
  }
  if (auto names = check_names(s.table, move); !names) {
    return names;
  }
  if (choices(s).has(move)) {
    return {};
  }
  if (s.table.sources[move.source].count(move.colour) == 0) {
    const std::string where = move.source == kCentre ? "the centre" : "that factory display";
    return illegal("There is no " + std::string{name(move.colour)} + " tile in " + where + ".");
  }
  return why_not_placed(s.table.boards[seat.value], move);
}

Playout play_out(const State& s, Rng& rng) {
  Playout playout{.end = s, .moves = 0};
  const NoStages untold;
  while (!playout.end.over && playout.moves < kPlayoutMovesMax) {
    const Choices legal = choices(playout.end);
    play(playout.end, legal.nth(rng.uniform(legal.count())), rng, untold);
    ++playout.moves;
  }
  return playout;
}

}  // namespace tesela::azul
