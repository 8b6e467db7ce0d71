// A search for opponents: that of a player, or of a party.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/ids.h"

namespace tesela::matchmaking {

enum class Mode : std::uint8_t { kCasual, kRanked };

/// How long players may think.
enum class Pace : std::uint8_t { kQuick, kNormal, kDays };

/// The least number of seats of a table of the matchmaker; the most is kSeatsMax.
inline constexpr std::size_t kSeatsMin = 2;

/// What all players of a table have asked for: only tickets of the same queue are matched.
struct Queue {
  std::string game;
  std::string config;  // canonically encoded, so that equal rules are equal bytes
  std::size_t seats{kSeatsMin};
  Mode mode{Mode::kCasual};
  Pace pace{Pace::kNormal};

  friend auto operator<=>(const Queue&, const Queue&) = default;
};

/// A player of a party.
struct Member {
  PlayerId player;
  double mu{};                          // of the player's rating in this game
  std::optional<TableId> last_match{};  // as store::SeekerRow has it
  std::vector<PlayerId> blocked{};      // likewise, in the order of ids

  friend bool operator==(const Member&, const Member&) = default;
};

/// When bots may take the free seats.
struct BotWish {
  std::int64_t after_ms{};  // since the ticket's start
  std::uint8_t level{1};    // of the strategies

  friend bool operator==(const BotWish&, const BotWish&) = default;
};

struct Ticket {
  TicketId id;
  Queue queue;
  /// The players who sit together: at least one, at most the number of seats.
  std::vector<Member> party;
  std::int64_t since_ms{};  // Unix time
  /// Empty: no bots. Such a player may still meet players who accept bots.
  std::optional<BotWish> bots;

  friend bool operator==(const Ticket&, const Ticket&) = default;
};

/// The rating by which a party is matched: the mean of its members' mu.
[[nodiscard]] double rating_of(const Ticket& ticket);

/// Whether a player of either blocks one of the other: they get no table together.
[[nodiscard]] bool block_each_other(const Ticket& a, const Ticket& b);

/// Whether `a` has waited longer than `b`; at the same time, the lower id is older.
[[nodiscard]] bool older(const Ticket& a, const Ticket& b);

/// The time that the ticket has waited, in milliseconds; at least 0.
[[nodiscard]] std::int64_t waited_ms(const Ticket& ticket, std::int64_t now_ms);

}  // namespace tesela::matchmaking
