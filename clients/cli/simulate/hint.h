// What strategies advise in a position.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "clients/cli/base/json.h"
#include "clients/cli/base/value_text.h"
#include "clients/cli/simulate/bot.h"
#include "clients/cli/simulate/game_text.h"
#include "engine/core/result.h"
#include "engine/core/rng.h"
#include "engine/strategy/advise.h"

namespace tesela::cli {

/// The options that are the same for every game.
struct HintOptions {
  std::vector<BotText> strategies;  // none: all of the highest level
  BotBudget budget;                 // not given: kHintBudget
  std::string seed;                 // empty: a new one
  std::size_t best = 3;             // moves that each strategy shows, at least 1
  bool json = false;
};

inline constexpr BotBudget kHintBudget{.time = std::chrono::seconds{1}};

/// All strategies of the highest level.
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

/// What one strategy advises: its choice, and the next best moves.
template <GameText Text>
struct Advice {
  using G = typename Text::Game;

  const Bot<G>& bot;
  std::vector<Choice<G>> choices;  // at least one

  /// A line for each move.
  [[nodiscard]] std::string text(const typename G::State& s) const {
    const std::string measure{bot.description.measure};
    const auto& best = choices.front();
    if (!best.value) {
      const std::string what = measure.empty() ? Text::say(s, best.move) : "nothing of its kind";
      return bot.text + ": " + what + "\n";
    }
    std::string lines;
    for (const Choice<G>& choice : choices) {
      const std::string worth = worth_text(measure, *choice.value, *best.value);
      lines += lines.empty() ? bot.text + ": " + Text::say(s, choice.move) + " (" + measure + ": "
                             : "  or " + Text::say(s, choice.move) + " (";
      lines += worth + ")\n";
    }
    return lines;
  }

  [[nodiscard]] Json json(const typename G::State& s) const {
    Json json = choice_json(s, choices.front());
    json["strategy"] = bot.text;
    json["measure"] = bot.description.measure;
    json["others"] = Json::array();
    for (std::size_t place = 1; place < choices.size(); ++place) {
      json["others"].push_back(choice_json(s, choices[place]));
    }
    return json;
  }

 private:
  static Json choice_json(const typename G::State& s, const Choice<G>& choice) {
    Json json{{"move", Text::choice_json(s, choice.move)}, {"value", nullptr}};
    if (choice.value) json["value"] = *choice.value;
    return json;
  }
};

/// Prints the advice of every strategy in `position`: lines, or a JSON array. Refuses a position
/// that cannot be read, a game that is over, and unknown strategies.
template <GameText Text>
Expected<void> hint(const Json& position, const HintOptions& options, std::ostream& out) {
  using G = typename Text::Game;
  const auto s = Text::read_position(position);
  if (!s) return std::unexpected(s.error());
  const auto seat = G::turn(*s);
  if (!seat) {
    return refuse(ErrorCode::kInvalidArgument, "The game is over: there is no move to advise.");
  }
  const auto texts = options.strategies.empty() ? strongest<G>() : options.strategies;
  const auto bots = bots_of<G>(texts, options.budget.is_given() ? options.budget : kHintBudget);
  if (!bots) return std::unexpected(bots.error());
  Rng rng{options.seed.empty() ? random_seed() : read_seed(options.seed)};
  Json all = Json::array();
  for (const Bot<G>& bot : *bots) {
    const auto strategy = bot.make();
    const Advice<Text> advice{
        .bot = bot, .choices = advise(*strategy, *s, *seat, rng, bot.budget, options.best)};
    if (options.json) {
      all.push_back(advice.json(*s));
    } else {
      out << advice.text(*s);
    }
  }
  if (options.json) out << all.dump(2) << '\n';
  return {};
}

}  // namespace tesela::cli
