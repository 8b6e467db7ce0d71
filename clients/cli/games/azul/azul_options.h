// The options that describe a game of Azul.
#pragma once

#include "tesela/game/v1/azul.pb.h"

namespace CLI {
class App;
}

namespace tesela::cli {

/// Adds --players (or --seats), which fills `config`: it outlives the parsing. What is not given is
/// left to the server, which also judges the value.
void add_options(CLI::App& app, game::v1::AzulConfig& config);

}  // namespace tesela::cli
