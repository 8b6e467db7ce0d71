// Bots: a strategy and how much it may think, as people name them and as they play.
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

/// What a bot may use for each of its moves.
struct Thinking {
  std::optional<std::uint64_t> nodes{};
  std::optional<std::chrono::microseconds> time{};

  [[nodiscard]] bool is_given() const { return nodes || time; }
  [[nodiscard]] Budget budget() const;

  friend bool operator==(const Thinking&, const Thinking&) = default;
};

/// Nodes rather than time, so that games can be played again.
inline constexpr Thinking kThinkingByDefault{.nodes = 10'000};

/// "greedy", "uct:nodes=5000", "uct:time=20ms", "uct:nodes=100000:time=1s".
struct BotText {
  std::string text;      // as it was given
  std::string strategy;  // the part before the first colon
  Thinking thinking{};

  friend bool operator==(const BotText&, const BotText&) = default;
};

/// Refuses with kInvalidArgument.
[[nodiscard]] Expected<BotText> read_bot(std::string_view text);

/// Bots with commas between them, at least one. Refuses with kInvalidArgument.
[[nodiscard]] Expected<std::vector<BotText>> read_bots(std::string_view list);

/// A strategy of one game that takes part in games here, and its budget.
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
