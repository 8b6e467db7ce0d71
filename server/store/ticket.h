// What somebody who looks for opponents asks for.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/ids.h"
#include "engine/core/result.h"

namespace tesela::store {

enum class Mode : std::uint8_t { kCasual, kRanked };

/// The fewest seats of a table that needs matching; kSeatsMax are the most.
inline constexpr std::size_t kSeatsMin = 2;

/// What all at one table have asked for alike: only tickets of the same queue are ever matched.
struct Queue {
  std::string game;
  std::string config;  // in its canonical encoding: equal bytes, equal rules
  std::size_t seats{kSeatsMin};
  Mode mode{Mode::kCasual};

  friend auto operator<=>(const Queue&, const Queue&) = default;
};

/// A player of a party.
struct Member {
  PlayerId player;
  double mu{};  // of the player's rating in this game

  friend bool operator==(const Member&, const Member&) = default;
};

/// That bots may take the seats for which nobody has come.
struct BotWish {
  std::int64_t after_ms{};  // counted from the ticket's start
  std::uint8_t level{1};    // of the strategy, as in the registry of strategies

  friend bool operator==(const BotWish&, const BotWish&) = default;
};

struct Ticket {
  TicketId id;
  Queue queue;
  /// Those who sit together: at least one, at most as many as there are seats.
  std::vector<Member> party;
  std::int64_t since_ms{};  // Unix time
  /// Empty: plays with people only, also with those who have asked for bots.
  std::optional<BotWish> bots;

  friend bool operator==(const Ticket&, const Ticket&) = default;
};

/// Whether the matchmaker can take it: a table of two to four seats, and a party of distinct
/// players that it has room for. Error: kInvalidArgument.
[[nodiscard]] Expected<void> check(const Ticket& ticket);

/// What a party is matched by: the mean of its members' mu.
[[nodiscard]] double rating_of(const Ticket& ticket);

/// Whether `a` has waited longer than `b`; of the same instant, the lesser id goes first.
[[nodiscard]] bool older(const Ticket& a, const Ticket& b);

/// Milliseconds that the ticket has waited; 0 when the clock was set back.
[[nodiscard]] std::int64_t waited_ms(const Ticket& ticket, std::int64_t now_ms);

}  // namespace tesela::store
