// Bots as people name them: a strategy and how much it may think.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
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

}  // namespace tesela::cli
