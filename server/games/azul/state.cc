#include "server/games/azul/state.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "server/games/codec_parts.h"

namespace tesela::games {
namespace {

template <class Sink>
void canonical_tiles(const azul::Tiles& tiles, Sink& out) {
  for (const auto colour : azul::kColours) out.byte(static_cast<std::uint8_t>(tiles.count(colour)));
}

template <class Sink>
void canonical_board(const azul::Board& board, Sink& out) {
  out.u64(board.score);
  for (const auto& line : board.lines) {
    out.byte(line.holds);
    out.byte(line.count);
  }
  out.u64(board.wall.tiled());
  for (unsigned space = 0; space < azul::FloorLine::kSpaces; ++space) {
    out.byte(board.floor.piece(space));
  }
}

/// Reads the canonical bytes of a state, and remembers whether they can be one.
class StateReader {
 public:
  explicit StateReader(base::ByteReader& in) : in_(in) {}

  Expected<azul::State> read(const azul::Config& config) {
    azul::State state{.table = read_table(config.players)};
    const std::uint64_t round = in_.u64();
    state.round = static_cast<std::uint32_t>(round);
    expect(round >= 1 && round == state.round);
    state.starter = read_seat(config.players);
    state.turn = read_seat(config.players);
    const std::uint8_t over = in_.byte();
    state.over = over != 0;
    expect(over <= 1);
    state.untiled_rounds_max = config.untiled_rounds_max;
    if (state.untiled_rounds_max != 0) {
      state.untiled_rounds = in_.byte();
      expect(state.untiled_rounds <= state.untiled_rounds_max);
    }
    // A game that goes on has a move: there is always the floor line.
    expect(state.over || !azul::round_over(state.table));
    if (!valid_) return not_a_position();
    return state;
  }

 private:
  void expect(bool holds) { valid_ = valid_ && holds; }

  azul::Tiles read_tiles() {
    std::array<std::uint8_t, azul::kColourCount> counts{};
    for (std::size_t colour = 0; colour < counts.size(); ++colour) {
      const std::uint8_t count = in_.byte();
      place(azul::kColours[colour], count);
      if (valid_) counts[colour] = count;
    }
    return azul::Tiles(counts);
  }

  Seat read_seat(std::uint8_t players) {
    const Seat seat{in_.byte()};
    expect(seat.value < players);
    return seat;
  }

  azul::Table read_table(std::uint8_t players) {
    azul::Table table;
    expect(in_.byte() == players);
    table.players = players;
    for (auto& factory : table.factories()) factory = read_tiles();
    table.centre() = read_tiles();
    table.bag = read_tiles();
    table.lid = read_tiles();
    table.next_starter = Seat{in_.byte()};
    expect(table.marker_in_centre() || table.next_starter.value < players);
    for (auto& board : std::span(table.boards).first(players)) board = read_board();
    // The marker lies in the centre, or in at most one floor line.
    expect(markers_ <= (table.marker_in_centre() ? 0U : 1U));
    for (const unsigned placed : placed_) expect(placed == azul::kTilesPerColour);
    return table;
  }

  azul::Board read_board() {
    azul::Board board;
    const std::uint64_t score = in_.u64();
    board.score = static_cast<std::uint16_t>(score);
    expect(score == board.score);
    for (unsigned row = 0; row < azul::kRows; ++row) board.lines[row] = read_line(row);
    const std::uint64_t wall = in_.u64();
    expect(wall >> (azul::kRows * azul::kRows) == 0);
    if (!valid_) return board;
    board.wall = azul::Wall(static_cast<azul::Cells>(wall));
    for (unsigned cell = 0; cell < azul::kRows * azul::kRows; ++cell) {
      if (board.wall.has(cell)) place(azul::wall_colour(cell), 1);
    }
    for (unsigned row = 0; row < azul::kRows; ++row) {
      const auto& line = board.lines[row];
      expect(line.holds == azul::kNoPiece ||
             !board.wall.has(azul::wall_cell(row, azul::colour_of(line.holds))));
    }
    read_floor(board.floor);
    return board;
  }

  azul::PatternLine read_line(unsigned row) {
    azul::PatternLine line{.holds = in_.byte()};
    line.count = in_.byte();
    expect(line.holds < azul::kMarker && line.count <= azul::line_size(row) &&
           (line.holds == azul::kNoPiece) == (line.count == 0));
    if (valid_ && line.count > 0) place(azul::colour_of(line.holds), line.count);
    return line;
  }

  void read_floor(azul::FloorLine& floor) {
    bool ended = false;
    for (unsigned space = 0; space < azul::FloorLine::kSpaces; ++space) {
      const azul::Piece piece = in_.byte();
      expect(piece <= azul::kMarker && !(ended && piece != azul::kNoPiece));
      ended = piece == azul::kNoPiece;
      if (ended || !valid_) continue;
      floor.add(piece, 1);
      if (piece == azul::kMarker) {
        ++markers_;
      } else {
        place(azul::colour_of(piece), 1);
      }
    }
  }

  /// Counts tiles: there are azul::kTilesPerColour of each colour.
  void place(azul::Colour colour, unsigned count) {
    unsigned& placed = placed_[static_cast<std::size_t>(colour)];
    placed += count;
    expect(placed <= azul::kTilesPerColour);
  }

  base::ByteReader& in_;
  bool valid_ = true;
  unsigned markers_ = 0;
  std::array<unsigned, azul::kColourCount> placed_{};
};

}  // namespace

Expected<azul::State> read_azul_state(const azul::Config& config, base::ByteReader& in) {
  return StateReader(in).read(config);
}

template <class Sink>
void write_azul_state(const azul::State& state, Sink& out) {
  out.byte(state.table.players);
  for (const auto& factory : state.table.factories()) canonical_tiles(factory, out);
  canonical_tiles(state.table.centre(), out);
  canonical_tiles(state.table.bag, out);
  canonical_tiles(state.table.lid, out);
  out.byte(state.table.next_starter.value);
  for (const auto& board : std::span(state.table.boards).first(state.table.players)) {
    canonical_board(board, out);
  }
  out.u64(state.round);
  out.byte(state.starter.value);
  out.byte(state.turn.value);
  out.byte(state.over ? 1 : 0);
  if (state.untiled_rounds_max != 0) out.byte(state.untiled_rounds);
}

template void write_azul_state(const azul::State&, base::Fnv&);
template void write_azul_state(const azul::State&, base::ByteWriter&);

}  // namespace tesela::games
