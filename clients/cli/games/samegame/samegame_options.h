// The options that describe a game of SameGame.
#pragma once

#include "tesela/game/v1/samegame.pb.h"

namespace CLI {
class App;
}

namespace tesela::cli {

/// Adds --rows, --columns, --colours, --penalty and --board, which fill `config`: it outlives the
/// parsing. What is not given is left to the server, which also judges the values.
void add_options(CLI::App& app, game::v1::SameGameConfig& config);

}  // namespace tesela::cli
