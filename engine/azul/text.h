// Azul in words and drawings for people: transcripts, golden playthroughs, tests.
//
// Tiles are B blue, Y yellow, R red, K black, W white, and M is the starting-player marker. All
// numbers count from 0, as in the protocol.
#pragma once

#include <string>

#include "engine/azul/azul.h"
#include "engine/azul/choices.h"
#include "engine/azul/stage.h"
#include "engine/azul/table.h"

namespace tesela::azul {

/// A legal move in a sentence, such as "seat 0 takes 3 red tiles and the marker from the centre:
/// 2 to pattern line 1, 1 to the floor line".
[[nodiscard]] std::string say(const State& s, const Move& move);

/// A stage in one line: what it is, whose, its points and what made them, and each motion, such as
/// "place, seat 0: R hand->line 1.0".
[[nodiscard]] std::string say(const Stage& stage);

/// The round and whose turn it is; or why the game is over, and how it ended for each seat.
[[nodiscard]] std::string headline(const State& s);

/// The table: displays, centre, bag and lid; the boards beside each other, each with its pattern
/// lines, wall and floor line. '.' is a free space.
[[nodiscard]] std::string draw(const Table& table);

}  // namespace tesela::azul
