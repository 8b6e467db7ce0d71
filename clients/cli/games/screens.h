// The one list of the games that a terminal can show.
#pragma once

#include <memory>
#include <string_view>

#include "clients/cli/screen/game_screen.h"

namespace tesela::cli {

/// A screen for the game of this name, as Welcome tells it; empty when it is not known here.
[[nodiscard]] std::unique_ptr<GameScreen> make_screen(std::string_view game);

}  // namespace tesela::cli
