// The options of all subcommands in which bots think.
#pragma once

#include <string>
#include <vector>

#include "clients/cli/simulate/bot.h"

namespace CLI {
class App;
}

namespace tesela::cli {

inline constexpr unsigned kThreadsMax = 256;

/// Adds --nodes and --time (or --think), which fill `thinking`: it outlives the parsing, as in the
/// others. `what` they are for and their `defaults` stand in the help.
void add_thinking(CLI::App& app, Thinking& thinking, const std::string& what,
                  const std::string& defaults);

/// Adds an option for one bot, or for several with commas between them.
void add_bot_option(CLI::App& app, const std::string& option, BotText& bot,
                    const std::string& about);
void add_bots_option(CLI::App& app, const std::string& option, std::vector<BotText>& bots,
                     const std::string& about);

/// One for each processor.
[[nodiscard]] unsigned threads_by_default();

/// Adds --threads, with what stands in `threads` as its default.
void add_threads(CLI::App& app, unsigned& threads);

/// Adds --seed.
void add_seed(CLI::App& app, std::string& seed);

/// What the options of add_thinking() say; without either, kThinkingByDefault.
[[nodiscard]] inline Thinking given_or_default(const Thinking& thinking) {
  return thinking.is_given() ? thinking : kThinkingByDefault;
}

}  // namespace tesela::cli
