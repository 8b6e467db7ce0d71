// Bots: a strategy and its budget, as they are written on the command line and as they play.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// The budget of a bot for each move; a value that is not given is unlimited.
struct BotBudget {
  std::optional<std::uint64_t> nodes{};
  std::optional<std::chrono::microseconds> time{};

  [[nodiscard]] bool is_given() const { return nodes || time; }
  [[nodiscard]] const BotBudget& or_else(const BotBudget& other) const {
    return is_given() ? *this : other;
  }
  [[nodiscard]] Budget limits() const;

  friend bool operator==(const BotBudget&, const BotBudget&) = default;
};

/// The prefix of a remote bot's name (tesela.bot.v1.Accepted.strategy).
inline constexpr std::string_view kRemotePrefix = "ext/";
/// The characters of such a name (tesela.bot.v1.Offer.name).
inline constexpr std::size_t kRemoteNameMax = 24;

/// Whether a bot is a remote one, by its prefix.
[[nodiscard]] constexpr bool is_remote(std::string_view strategy) {
  return strategy.starts_with(kRemotePrefix);
}

/// Refuses with kInvalidArgument a remote bot whose name no bot can offer.
[[nodiscard]] Expected<void> check_remote_name(std::string_view strategy);

/// The strategies that are known.
inline constexpr Description kRemoteDescription{
    .name = "ext", .text = "A remote bot.", .level = 0, .thought = Thought::kSearch};

/// Nodes rather than time, so that results can be reproduced.
inline constexpr BotBudget kDefaultBotBudget{.nodes = 10'000};

/// "greedy", "hard", "uct:nodes=5000", "uct:time=20ms", "uct:nodes=100000:time=1s".
struct BotText {
  std::string text;      // as it was given
  std::string strategy;  // the part before the first colon: its name, or that of a level
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
  Description description;
  Budget budget;
  std::function<std::unique_ptr<Strategy<G>>()> make;  // a new one for one seat of one game
};

/// `otherwise` is the budget of a bot that gives none. Refuses an unknown strategy with kNotFound.
template <Game G>
[[nodiscard]] Expected<Bot<G>> bot_of(const BotText& text, const BotBudget& otherwise) {
  const auto known = listed_strategies<G>();
  const std::string_view name = strategy_called(text.strategy, known);
  for (const Registered<G>& registered : strategies<G>()) {
    if (registered.description.name == name) {
      return Bot<G>{.text = text.text,
                    .description = registered.description,
                    .budget = text.budget.or_else(otherwise).limits(),
                    .make = [make = registered.make] { return make({}); }};
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
