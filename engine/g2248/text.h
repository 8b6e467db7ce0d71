// A board of 2248 as text for people: the terminal, golden playthroughs, tests.
#pragma once

#include <string>

#include "engine/g2248/board.h"

namespace tesela::g2248 {

/// One line a row, values aligned to the right in columns of at least five characters, '.' for an
/// empty cell.
[[nodiscard]] std::string draw(BoardView board);

}  // namespace tesela::g2248
