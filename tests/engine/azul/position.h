// Positions of Azul drawn as text: B blue, Y yellow, R red, K black, W white, M the marker, '.' a
// free space.
#pragma once

#include <algorithm>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/azul/azul.h"
#include "engine/azul/text.h"

namespace tesela::test {

/// A letter as azul::draw writes it.
[[nodiscard]] inline azul::Piece piece(char letter) {
  constexpr std::string_view kLetters = ".BYRKWM";
  const std::size_t found = kLetters.find(letter);
  if (found == std::string_view::npos) {
    throw std::invalid_argument{std::string{"no piece is drawn as "} + letter};
  }
  return static_cast<azul::Piece>(found);
}

/// Tiles as letters; dots and spaces are none.
[[nodiscard]] inline azul::Tiles tiles(std::string_view letters) {
  azul::Tiles tiles;
  for (const char letter : letters) {
    if (letter != '.' && letter != ' ') {
      tiles.add(azul::colour_of(piece(letter)), 1);
    }
  }
  return tiles;
}

/// A board as azul::draw draws it: five rows of pattern line, '|' and wall, and where it is given
/// `floor` with its pieces.
[[nodiscard]] inline azul::Board board(std::string_view drawing, std::uint16_t score = 0) {
  azul::Board board;
  board.score = score;
  std::istringstream words{std::string{drawing}};
  std::string word;
  for (unsigned row = 0; row < azul::kRows; ++row) {
    while (words >> word && word != "|") {
      if (word != ".") {
        board.lines[row].holds = piece(word.front());
        ++board.lines[row].count;
      }
    }
    for (unsigned cell = row * azul::kRows; cell < (row + 1) * azul::kRows; ++cell) {
      words >> word;
      if (word == ".") {
        continue;
      }
      if (azul::colour_of(piece(word.front())) != azul::wall_colour(cell)) {
        throw std::invalid_argument{word + " has no place in cell " + std::to_string(cell)};
      }
      board.wall.tile(cell);
    }
  }
  words >> word;
  while (words >> word) {
    if (word != ".") {
      board.floor.add(piece(word.front()), 1);
    }
  }
  return board;
}

/// A position in the first round with seat 0 on turn: the displays as letters, then nothing but
/// empty boards and the marker in the centre.
[[nodiscard]] inline azul::State position(std::uint8_t players,
                                          const std::vector<std::string_view>& factories,
                                          std::string_view centre = "") {
  azul::State s;
  s.table.players = players;
  s.round = 1;
  for (std::size_t factory = 0; factory < factories.size(); ++factory) {
    s.table.factories()[factory] = tiles(factories[factory]);
  }
  s.table.centre() = tiles(centre);
  return s;
}

[[nodiscard]] inline std::vector<azul::Move> legal(const azul::State& s) {
  std::vector<azul::Move> moves;
  azul::Game::legal_moves(s, s.turn, [&](const azul::Move& move) { moves.push_back(move); });
  return moves;
}

/// Plays a legal move of the seat on turn.
[[nodiscard]] inline azul::State play(const azul::State& s, const azul::Move& move, Rng& rng) {
  return azul::Game::apply(s, s.turn, move, rng, NoStages{}).value();
}

[[nodiscard]] inline std::vector<azul::Stage> stages_of(const azul::State& s,
                                                        const azul::Move& move, Rng& rng) {
  std::vector<azul::Stage> stages;
  static_cast<void>(azul::Game::apply(s, s.turn, move, rng, CollectStages{stages}).value());
  return stages;
}

}  // namespace tesela::test

namespace tesela::azul {

// GoogleTest shows a value that a test did not expect with these.

inline void PrintTo(const Board& board, std::ostream* out) {
  Table table;
  table.players = 1;
  table.boards[0] = board;
  *out << "\n" << draw(table);
}

inline void PrintTo(const State& s, std::ostream* out) {
  *out << "\n" << headline(s) << "\n" << draw(s.table);
}

inline void PrintTo(const Tiles& tiles, std::ostream* out) {
  for (const Colour colour : kColours) {
    *out << ' ' << tiles.count(colour) << ' ' << name(colour);
  }
}

inline void PrintTo(const Move& move, std::ostream* out) {
  *out << name(move.colour) << " from " << int{move.source} << " to " << int{move.target};
}

}  // namespace tesela::azul
