#include "clients/cli/tools/hint.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "clients/cli/base/fail.h"
#include "clients/cli/base/seed_text.h"
#include "clients/cli/games/game_subcommands.h"
#include "clients/cli/simulate/bot.h"
#include "clients/cli/tools/bot_options.h"

namespace tesela::cli {
namespace {

constexpr Thinking kThinkingOfHints{.time = std::chrono::seconds{1}};
constexpr std::size_t kPositionMax = std::size_t{1} << 20U;

constexpr const char* kAbout =
    R"(Reads a position from standard input, as one JSON object in the form of the questions to
'tesela rules' (tests/vectors/README.md): for 2048 "grid" and, if it is not 2048, "objective"; for
2248 "grid" and "cols"; for SameGame "board"; for Azul the state, and in it
"untiled_rounds" where the last rounds have put no tile on any wall.

  echo '{"cols": 3, "grid": [8,4,32, 64,2,16, 128,2,64]}' | tesela hint 2248

Without --strategy every strategy of the highest level advises. "nothing of its kind" is said by
max-adjacent when no chain lands beside its like.)";

struct Options {
  std::vector<BotText> strategies;  // none: the strongest
  Thinking thinking;
  std::string seed;
  bool json = false;
};

/// All of standard input.
Json read_json() {
  std::string text(kPositionMax + 1, '\0');
  std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::cin.gcount()));
  if (text.size() > kPositionMax) fail("The position is longer than 1 MiB.");
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) fail("Standard input is not a JSON object with a position.");
  return json;
}

template <Game G>
std::vector<BotText> strongest() {
  std::vector<BotText> all;
  const auto highest = std::ranges::max_element(
      strategies<G>(), {}, [](const auto& one) { return one.description.level; });
  for (const Registered<G>& one : strategies<G>()) {
    if (one.description.level != highest->description.level) continue;
    const std::string name{one.description.name};
    all.push_back({.text = name, .strategy = name});
  }
  return all;
}

/// Whole numbers without a fraction.
std::string number(double value) {
  return std::round(value) == value ? line_of("%.0f", value) : line_of("%.3f", value);
}

/// What one strategy advises.
template <class Local>
struct Advice {
  using G = typename Local::G;

  const Bot<G>& bot;
  Choice<G> choice;

  [[nodiscard]] std::string text(const typename G::State& s) const {
    const std::string measure{bot.strategy->description.measure};
    if (!choice.value && !measure.empty()) return bot.text + ": nothing of its kind\n";
    const std::string value =
        choice.value ? " (" + measure + ": " + number(*choice.value) + ")" : std::string{};
    return bot.text + ": " + Local::Words::say(s, choice.move) + value + "\n";
  }

  [[nodiscard]] Json json(const typename G::State& s) const {
    Json json{{"strategy", bot.text},
              {"move", Local::Words::choice_json(s, choice.move)},
              {"value", nullptr},
              {"measure", bot.strategy->description.measure}};
    if (choice.value) json["value"] = *choice.value;
    return json;
  }
};

template <class Local>
void advise(const Options& options) {
  using G = typename Local::G;
  const auto s = value_or_fail(Local::Words::read_position(read_json()));
  const auto seat = G::turn(s);
  if (!seat) fail("The game is over: there is no move to advise.");
  const auto texts = options.strategies.empty() ? strongest<G>() : options.strategies;
  const auto bots = value_or_fail(
      bots_of<G>(texts, options.thinking.is_given() ? options.thinking : kThinkingOfHints));
  Rng rng{options.seed.empty() ? random_seed() : read_seed(options.seed)};
  Json all = Json::array();
  for (const Bot<G>& bot : bots) {
    const Advice<Local> advice{.bot = bot, .choice = bot.make()->choose(s, *seat, rng, bot.budget)};
    if (options.json) {
      all.push_back(advice.json(s));
    } else {
      std::cout << advice.text(s);
    }
  }
  if (options.json) std::cout << all.dump(2) << '\n';
}

}  // namespace

void add_hint(CLI::App& app) {
  auto options = std::make_shared<Options>();
  auto& hint = *app.add_subcommand("hint", "What to play in a position");
  hint.footer(kAbout);
  add_bots_option(hint, "--strategy", options->strategies,
                  "Who advises: 'tesela bots' lists them (the strongest)");
  add_thinking(hint, options->thinking, "about the move",
               "no limit, but --time 1s, without either");
  add_seed(hint, options->seed);
  hint.add_flag("--json", options->json, "As a JSON array");
  add_local_games(hint, [&]<class Local>(CLI::App& game, Local /*game*/) {
    game.callback([options] { advise<Local>(*options); });
  });
}

}  // namespace tesela::cli
