// A board of 2048 as text for people: the terminal, golden playthroughs, tests.
#pragma once

#include <string>

#include "engine/g2048/config.h"

namespace tesela::g2048 {

/// One line a row, values aligned to the right in columns of at least five characters, '.' for an
/// empty cell.
[[nodiscard]] std::string draw(const Cells& cells, std::uint8_t size);

}  // namespace tesela::g2048
