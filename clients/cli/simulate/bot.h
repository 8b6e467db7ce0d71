// Bots: a strategy and its budget, as they are written on the command line and as they play.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/strategy/registry.h"
#include "engine/strategy/strategy.h"

namespace tesela::cli {

/// What a bot may use for each of its moves; what is not given has no limit.
struct BotBudget {
  std::optional<std::uint64_t> nodes{};
  std::optional<std::chrono::microseconds> time{};

  [[nodiscard]] bool is_given() const { return nodes || time; }
  [[nodiscard]] Budget limits() const;

  friend bool operator==(const BotBudget&, const BotBudget&) = default;
};

/// Nodes rather than time, so that results can be reproduced.
inline constexpr BotBudget kDefaultBotBudget{.nodes = 10'000};

/// "greedy", "uct:nodes=5000", "uct:time=20ms", "uct:nodes=100000:time=1s".
struct BotText {
  std::string text;      // as it was given
  std::string strategy;  // the part before the first colon
  BotBudget budget{};

  friend bool operator==(const BotText&, const BotText&) = default;
};

/// Refuses with kInvalidArgument.
[[nodiscard]] Expected<BotText> read_bot(std::string_view text);

/// Bots with commas between them, at least one. Refuses with kInvalidArgument.
[[nodiscard]] Expected<std::vector<BotText>> read_bots(std::string_view list);

/// A strategy of one game that takes part in games here, and its budget.
template <Game G>
struct Bot {
  std::string text;  // as it was given
  const Registered<G>* strategy;
  Budget budget;

  /// A new instance for one seat of one game.
  [[nodiscard]] std::unique_ptr<Strategy<G>> make() const { return strategy->make({}); }
};

/// `otherwise` is the budget of a bot that gives none. Refuses an unknown strategy with kNotFound.
template <Game G>
[[nodiscard]] Expected<Bot<G>> bot_of(const BotText& text, const BotBudget& otherwise) {
  for (const Registered<G>& registered : strategies<G>()) {
    if (registered.description.name == text.strategy) {
      const BotBudget& budget = text.budget.is_given() ? text.budget : otherwise;
      return Bot<G>{.text = text.text, .strategy = &registered, .budget = budget.limits()};
    }
  }
  return std::unexpected(no_such_strategy<G>(text.strategy));
}

template <Game G>
[[nodiscard]] Expected<std::vector<Bot<G>>> bots_of(std::span<const BotText> texts,
                                                    const BotBudget& otherwise) {
  std::vector<Bot<G>> bots;
  for (const BotText& text : texts) {
    auto bot = bot_of<G>(text, otherwise);
    if (!bot) return std::unexpected(bot.error());
    bots.push_back(*std::move(bot));
  }
  return bots;
}

}  // namespace tesela::cli
