// The options that describe a game of 2048.
#pragma once

#include "tesela/game/v1/g2048.pb.h"

namespace CLI {
class App;
}

namespace tesela::cli {

/// Adds --size, --preset, --objective and the others, which fill `config`: it outlives the parsing.
/// What is not given is left to the server, which also judges the values.
void add_options(CLI::App& app, game::v1::Game2048Config& config);

}  // namespace tesela::cli
