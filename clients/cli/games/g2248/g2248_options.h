// The options that describe a game of 2248.
#pragma once

#include "tesela/game/v1/g2248.pb.h"

namespace CLI {
class App;
}

namespace tesela::cli {

/// Adds --rows, --columns and --goal, which fill `config`: it outlives the parsing. What is not
/// given is left to the server, which also judges the values.
void add_options(CLI::App& app, game::v1::Game2248Config& config);

}  // namespace tesela::cli
