#include "engine/azul/text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace tesela::azul {

namespace {

constexpr char kFree = '.';
constexpr std::string_view kLetters = ".BYRKWM";  // by Piece
constexpr std::size_t kBoardWidth = 24;

char letter(Piece piece) {
  return kLetters[piece];
}

std::string number(unsigned n) {
  return std::to_string(n);
}

std::string letters(const Tiles& tiles) {
  std::string text;
  for (const Colour colour : kColours) {
    text.append(tiles.count(colour), letter(piece_of(colour)));
  }
  return text;
}

std::string counts(const Tiles& tiles) {
  std::string text;
  for (const Colour colour : kColours) {
    text += (text.empty() ? "" : " ") + (letter(piece_of(colour)) + number(tiles.count(colour)));
  }
  return text;
}

std::string place_name(Place place) {
  if (place < kFactoriesMax) {
    return "factory " + number(place);
  }
  if (place < board_place(Seat{0})) {
    return place == kBagPlace ? "bag" : place == kLidPlace ? "lid" : "centre";
  }
  const unsigned on_board = place % 100;
  const auto cell = [&](unsigned first, char between) {
    return number((on_board - first) / kRows) + between + number((on_board - first) % kRows);
  };
  if (on_board < 25) {
    return "line " + cell(0, '.');
  }
  if (on_board < 50) {
    return "wall " + cell(25, ',');
  }
  return on_board < 60 ? "floor " + number(on_board - 50) : "hand";
}

/// A source in a sentence.
std::string source_name(Source source) {
  return source == kCentre ? "the centre" : "factory display " + number(source);
}

std::string_view kind_name(const Stage& stage) {
  constexpr std::array<std::string_view, 8> kNames{"take",    "place", "overflow", "tile",
                                                   "penalty", "deal",  "bonus",    "final"};
  constexpr std::array<std::string_view, 4> kBonuses{"", "bonus for rows", "bonus for columns",
                                                     "bonus for colours"};
  return stage.kind == StageKind::kBonus ? kBonuses[static_cast<std::size_t>(stage.bonus)]
                                         : kNames[static_cast<std::size_t>(stage.kind)];
}

/// The cells that made the points of a tile.
std::string say_counted(const Stage& stage) {
  std::string text;
  for (unsigned place = 0; place < kRows; ++place) {
    if ((stage.counted.across >> place & 1) != 0) {
      text += " " + number(stage.tiled / kRows) + "," + number(place);
    }
  }
  for (unsigned place = 0; place < kRows; ++place) {
    if ((stage.counted.down >> place & 1) != 0) {
      text += " " + number(place) + "," + number(stage.tiled % kRows);
    }
  }
  return text;
}

std::string pattern_line(const Board& board, unsigned row) {
  const PatternLine line = board.lines[row];
  std::string text(2 * (kRows - line_size(row)), ' ');
  for (unsigned cell = line_size(row); cell > 0; --cell) {
    text += {letter(cell <= line.count ? line.holds : kNoPiece), ' '};
  }
  return text;
}

std::string wall_row(const Board& board, unsigned row) {
  std::string text;
  for (unsigned cell = row * kRows; cell < (row + 1) * kRows; ++cell) {
    text += {' ', board.wall.has(cell) ? letter(piece_of(wall_colour(cell))) : kFree};
  }
  return text;
}

std::string floor_line(const Board& board) {
  std::string text = "floor";
  for (unsigned space = 0; space < FloorLine::kSpaces; ++space) {
    text += {' ', letter(board.floor.piece(space))};
  }
  return text;
}

/// How long no tile has come onto a wall.
std::string say_untiled(const State& s) {
  if (s.untiled_rounds == 0) {
    return "";
  }
  return "; no tile reached a wall for " + number(s.untiled_rounds) +
         (s.untiled_rounds == 1 ? " round" : " rounds");
}

/// Why the game is over.
std::string say_end(const State& s) {
  switch (outcome(s)) {
    case Outcome::kNoTiles:
      return "no tile was left to deal";
    case Outcome::kNoTiling:
      return "no tile reached a wall for " + number(s.untiled_rounds) + " rounds";
    default:
      return "a row of a wall is complete";
  }
}

/// The boards side by side: `line(seat)` is a line of each.
template <class Line>
std::string beside(const Table& table, Line&& line) {
  std::string text;
  for (std::size_t seat = 0; seat < table.players; ++seat) {
    text.resize(seat * kBoardWidth, ' ');
    text += line(seat);
  }
  return text + "\n";
}

}  // namespace

std::string say(const State& s, const Move& move) {
  const Board& board = s.table.boards[s.turn.value];
  const unsigned count = s.table.sources[move.source].count(move.colour);
  std::string text = "seat " + number(s.turn.value) + " takes " + number(count) + " " +
                     std::string{name(move.colour)} + (count == 1 ? " tile" : " tiles");
  if (move.source == kCentre && s.table.marker_in_centre()) {
    text += " and the marker";
  }
  text += " from " + source_name(move.source) + ": ";
  if (move.target == kFloor) {
    return text + "to the floor line";
  }
  const std::string line = "to pattern line " + number(move.target);
  const unsigned fit = std::min(count, line_size(move.target) - board.lines[move.target].count);
  return fit == count
             ? text + line
             : text + number(fit) + " " + line + ", " + number(count - fit) + " to the floor line";
}

std::string say(const Stage& stage) {
  std::string text{kind_name(stage)};
  if (stage.kind != StageKind::kDeal && stage.kind != StageKind::kFinal) {
    text += ", seat " + number(stage.seat.value);
  }
  if (stage.points != 0) {
    text += (stage.points > 0 ? ", +" : ", ") + std::to_string(stage.points);
  }
  if (stage.kind == StageKind::kTile) {
    text += " for" + say_counted(stage);
  }
  std::string_view before = ": ";
  for (const Motion& motion : stage.motions) {
    text += std::string{before} + (motion.count > 1 ? number(motion.count) : "") +
            letter(motion.piece) + " " + place_name(motion.from) + "->" + place_name(motion.to);
    before = "; ";
  }
  return text;
}

std::string headline(const State& s) {
  const std::optional<Result> result = Game::result(s);
  if (!result) {
    return "round " + std::to_string(s.round) + ", started by seat " + number(s.starter.value) +
           "; seat " + number(s.turn.value) + " is on turn" + say_untiled(s);
  }
  std::string text = "over: " + say_end(s);
  for (std::size_t seat = 0; seat < s.table.players; ++seat) {
    const Standing& standing = result->standings[seat];
    text += "; seat " + std::to_string(seat) + " has rank " + number(standing.rank) + " with " +
            std::to_string(standing.points) + " points";
  }
  return text;
}

std::string draw(const Table& table) {
  std::string text = "factories";
  for (std::size_t factory = 0; factory < table.factories().size(); ++factory) {
    const std::string tiles = letters(table.factories()[factory]);
    text += "  " + std::to_string(factory) + " " + tiles + std::string(4 - tiles.size(), kFree);
  }
  const std::string centre =
      letters(table.centre()) + (table.marker_in_centre() ? std::string{letter(kMarker)} : "");
  text += "\ncentre     " + (centre.empty() ? std::string{kFree} : centre);
  text += "\nbag        " + counts(table.bag) + "\nlid        " + counts(table.lid) + "\n\n";
  text += beside(table, [&](std::size_t seat) {
    return "seat " + std::to_string(seat) + ": " + number(table.boards[seat].score) + " points";
  });
  for (unsigned row = 0; row < kRows; ++row) {
    text += beside(table, [&](std::size_t seat) {
      return pattern_line(table.boards[seat], row) + "|" + wall_row(table.boards[seat], row);
    });
  }
  return text + beside(table, [&](std::size_t seat) { return floor_line(table.boards[seat]); });
}

}  // namespace tesela::azul
