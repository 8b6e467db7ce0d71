// A strategy of one game that takes part in games here, and its budget.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "clients/cli/simulate/bot_text.h"
#include "engine/strategy/registry.h"

namespace tesela::cli {

template <Game G>
struct Bot {
  std::string text;  // as people name it
  const Registered<G>* strategy;
  Budget budget;

  /// For one seat of one game.
  [[nodiscard]] std::unique_ptr<Strategy<G>> make() const { return strategy->make({}); }
};

/// `otherwise` is for a bot that does not say how much it may think. Refuses with kNotFound.
template <Game G>
[[nodiscard]] Expected<Bot<G>> bot_of(const BotText& text, const Thinking& otherwise) {
  for (const Registered<G>& registered : strategies<G>()) {
    if (registered.description.name == text.strategy) {
      const Thinking& thinking = text.thinking.is_given() ? text.thinking : otherwise;
      return Bot<G>{.text = text.text, .strategy = &registered, .budget = thinking.budget()};
    }
  }
  return std::unexpected(no_such_strategy(G::kName, text.strategy));
}

template <Game G>
[[nodiscard]] Expected<std::vector<Bot<G>>> bots_of(std::span<const BotText> texts,
                                                    const Thinking& otherwise) {
  std::vector<Bot<G>> bots;
  for (const BotText& text : texts) {
    auto bot = bot_of<G>(text, otherwise);
    if (!bot) return std::unexpected(bot.error());
    bots.push_back(*std::move(bot));
  }
  return bots;
}

}  // namespace tesela::cli
