// A board of SameGame as text for people: the terminal, golden playthroughs, tests.
#pragma once

#include <span>
#include <string>

#include "engine/samegame/config.h"

namespace tesela::samegame {

/// One line a row, the colours as digits with a space between them, '.' for an empty cell.
[[nodiscard]] std::string draw(const Setting& setting, std::span<const Colour> cells);

}  // namespace tesela::samegame
