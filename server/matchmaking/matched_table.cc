#include "server/matchmaking/matched_table.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/rng.h"
#include "server/base/absence_limits.h"
#include "server/base/crypto.h"
#include "server/base/limits.h"
#include "server/bots/bots.h"

namespace tesela::matchmaking {

games::ClockRules clock_of(Pace pace) {
  switch (pace) {
    case Pace::kQuick:
      return {.move = limits::kQuickMove};
    case Pace::kDays:
      return {.move = limits::kDaysMove};
    case Pace::kNormal:
      break;
  }
  return {.move = limits::kNormalMove};
}

Expected<directory::NewTable> new_table_of(const Pairing& pairing,
                                           std::span<const std::shared_ptr<Search>> players) {
  const Seeker& owner = players.front()->seeker();
  directory::NewTable wanted{.owner = owner.player,
                             .owner_name = owner.name,
                             .game = owner.queue.game,
                             .watch_only = true};
  wanted.options.set_ranked(owner.queue.mode == Mode::kRanked);
  wanted.options.mutable_clock()->set_move_ms(
      static_cast<std::uint32_t>(clock_of(owner.queue.pace).move.count()));
  wanted.config.emplace();
  if (!wanted.config->ParseFromString(owner.queue.config)) {
    return refuse(ErrorCode::kInternal, "The configuration of the search cannot be read.");
  }
  Rng lot{Seed{base::random_seed()}};
  std::vector<std::uint8_t> seats(players.size() + pairing.bots);
  std::ranges::generate(seats, [next = std::uint8_t{0}]() mutable { return next++; });
  lot.shuffle(seats);
  for (const auto& search : players) {
    const Seeker& seeker = search->seeker();
    wanted.players.push_back({.player = seeker.player,
                              .name = seeker.name,
                              .seat = Seat{seats.back()},
                              .contribution = seeker.contribution,
                              .contribute_later = seeker.contribute_later});
    seats.pop_back();
  }
  for (const std::uint8_t seat : seats) {
    const auto strategies = bots::strategies_of_level(owner.queue.game, pairing.bot_level);
    if (!strategies) return std::unexpected(strategies.error());
    const auto drawn = lot.uniform(static_cast<std::uint32_t>(strategies->size()));
    wanted.bots.push_back({.asker = owner.player,
                           .strategy = std::string((*strategies)[drawn].description.name),
                           .seat = Seat{seat}});
  }
  return wanted;
}

}  // namespace tesela::matchmaking
