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

/// Adds --nodes and --time (or --think), which fill `budget`: it outlives the parsing, as in the
/// functions below. `what` they are for and their `defaults` are part of the help.
void add_budget_options(CLI::App& app, BotBudget& budget, const std::string& what,
                        const std::string& defaults);

/// Adds an option for one bot, or for several with commas between them.
void add_bot_option(CLI::App& app, const std::string& option, BotText& bot,
                    const std::string& about);
void add_bots_option(CLI::App& app, const std::string& option, std::vector<BotText>& bots,
                     const std::string& about);

/// The number of processors, at most kThreadsMax.
[[nodiscard]] unsigned threads_by_default();

/// Adds --threads, with the value of `threads` as its default.
void add_threads(CLI::App& app, unsigned& threads);

/// Adds --seed.
void add_seed(CLI::App& app, std::string& seed);

/// The budget of add_budget_options(); if nothing was given, kDefaultBotBudget.
[[nodiscard]] inline BotBudget given_or_default(const BotBudget& budget) {
  return budget.is_given() ? budget : kDefaultBotBudget;
}

}  // namespace tesela::cli
