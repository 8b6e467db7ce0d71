// Options that are times, and the two that say how bots come to seats that stay free.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tesela::cli {

/// An option such as `--move-time 30s`. `take` hears what was given, as read_duration reads it and
/// rounded up to whole milliseconds.
CLI::Option* add_time_option(CLI::App& app, const std::string& name, const std::string& about,
                             std::function<void(std::chrono::milliseconds)> take);

/// What --bots-after and --bot-level do with their values.
struct LateBots {
  std::function<void(std::chrono::milliseconds)> after;
  std::function<void(std::uint32_t)> level;
};

/// Adds both, and gives them. `about` says what --bots-after means here.
std::vector<CLI::Option*> add_late_bots(CLI::App& app, const std::string& about,
                                        const LateBots& take);

}  // namespace tesela::cli
