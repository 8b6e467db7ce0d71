// The options of a new table, and the two for bots on its free seats.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
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

/// What --bots-after and --bot-level do with their values.
struct LateBots {
  std::function<void(std::chrono::milliseconds)> after;
  std::function<void(std::uint32_t)> level;
};

/// Adds both and returns them. `about` is the description of --bots-after.
std::vector<CLI::Option*> add_late_bots(CLI::App& app, const std::string& about,
                                        const LateBots& take);

}  // namespace tesela::cli
