#include "clients/cli/tools/bot_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <thread>

#include "clients/cli/base/value_text.h"

namespace tesela::cli {
namespace {

/// Reads the text of an option; an error ends the parsing with its message.
template <class T>
T read_as(Expected<T> (*read)(std::string_view), const std::string& option,
          const std::string& text) {
  auto value = read(text);
  if (!value) throw CLI::ValidationError(option, value.error().message);
  return *std::move(value);
}

}  // namespace

void add_budget_options(CLI::App& app, BotBudget& budget, const std::string& what,
                        const std::string& defaults) {
  app.add_option_function<std::uint64_t>(
         "--nodes", [&budget](std::uint64_t nodes) { budget.nodes = nodes; },
         "How many moves a search may try " + what + " (" + defaults + ")")
      ->check(CLI::Range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N");
  app.add_option_function<std::string>(
         "--time,--think",
         [&budget](const std::string& text) {
           budget.time = read_as(read_duration, "--time", text);
         },
         "How long it may think " + what +
             ", such as 20ms or 1.5s; the result depends on the machine")
      ->type_name("TIME");
}

void add_bot_option(CLI::App& app, const std::string& option, BotText& bot,
                    const std::string& about) {
  app.add_option_function<std::string>(
         option, [&bot, option](const std::string& text) { bot = read_as(read_bot, option, text); },
         about)
      ->type_name("BOT");
}

void add_bots_option(CLI::App& app, const std::string& option, std::vector<BotText>& bots,
                     const std::string& about) {
  app.add_option_function<std::string>(
         option,
         [&bots, option](const std::string& list) { bots = read_as(read_bots, option, list); },
         about)
      ->type_name("BOT[,BOT…]");
}

unsigned threads_by_default() {
  return std::clamp(std::thread::hardware_concurrency(), 1U, kThreadsMax);
}

void add_threads(CLI::App& app, unsigned& threads) {
  app.add_option("--threads", threads,
                 "On so many threads; the games are the same on any number of them")
      ->check(CLI::Range(1U, kThreadsMax))
      ->capture_default_str();
}

void add_seed(CLI::App& app, std::string& seed) {
  app.add_option("--seed", seed,
                 "Makes it the same every time: 64 hexadecimal digits, or any text, of which the "
                 "SHA-256 is the seed (a new one each time, which is told)")
      ->type_name("TEXT");
}

}  // namespace tesela::cli
