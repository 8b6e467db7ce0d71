// How a new table is run, on the command line.
#pragma once

#include <vector>

#include "tesela/lobby/v1/lobby.pb.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tesela::cli {

/// Adds --private, --no-spectators, --practice, --talk, the clocks (--move-time, --game-time,
/// --increment, --autoplay), --bots-after and --bot-level, which fill `options`: it outlives the
/// parsing. Gives the options, so that others can exclude them.
std::vector<CLI::Option*> add_table_options(CLI::App& app, lobby::v1::TableOptions& options);

}  // namespace tesela::cli
