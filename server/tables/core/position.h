// What the store has of a table, as values: its seats, its game and its clocks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/ids.h"
#include "server/codec/table_options.h"
#include "server/games/clock.h"
#include "server/games/match.h"
#include "server/replay/game_outcome.h"
#include "server/replay/recent_moves.h"
#include "server/replay/replay.h"
#include "server/replay/start_game.h"
#include "server/store/store.h"
#include "server/tables/core/seat_command.h"

namespace tesela::tables {

/// Changes only when the store has what is new. Times are Unix time in milliseconds.
struct Position {
  store::TableRow row;
  codec::TableOptions options;          // of the row
  std::unique_ptr<games::Match> match;  // none while the table is open
  Version version;                      // 0 while the table is open
  std::int64_t at_ms{};                 // of the last event
  replay::RecentMoves recent_moves;
  games::Clock clock;
  replay::MoveShares shares;

  /// The game begins: version 1.
  void begin(replay::StartedGame started, std::int64_t now_ms);

  /// The player's; none: they have none.
  [[nodiscard]] std::optional<Seat> seat_of(PlayerId player) const;
  /// The seat that moves; none when nothing is played.
  [[nodiscard]] const store::SeatRow* on_turn() const;
  /// The strategy that plays the seat; empty: its player does.
  [[nodiscard]] std::string strategy_of(const store::SeatRow& seat) const;
  /// The strategy that moves in the place of players.
  [[nodiscard]] std::string autoplay() const;
  /// Whether the player has a seat that no strategy plays.
  [[nodiscard]] bool plays(PlayerId player) const;

  /// Whether the clock of the seat on turn has run out.
  [[nodiscard]] bool time_is_over() const;
  [[nodiscard]] bool time_is_over(std::int64_t now_ms) const;

  /// What gives a player the seat back that a strategy plays now; none where there is none.
  [[nodiscard]] std::optional<TakeSeat> return_command(PlayerId player) const;
  /// Who has taken part, for what the game counts for. `rate_bots`: replay::Participation.
  [[nodiscard]] replay::Participation participation(bool rate_bots) const;
};

/// The position of a loaded table. Moves out of `game` what it needs.
[[nodiscard]] Position position_of(store::TableRow row, codec::TableOptions options,
                                   replay::Replayed& game);

}  // namespace tesela::tables
