// The state of a table as the store has it: seats, game and clocks.
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
#include "server/store/table_rows.h"
#include "server/tables/core/seat_command.h"

namespace tesela::tables {

/// Changed only after the store has the change. Times are Unix time in milliseconds.
struct Position {
  store::TableRow row;
  codec::TableOptions options;          // decoded from the row
  std::unique_ptr<games::Match> match;  // null until the game begins
  Version version;                      // 0 until the game begins
  std::int64_t at_ms{};                 // of the last event
  replay::RecentMoves recent_moves;
  games::Clock clock;
  replay::MoveShares shares;
  std::uint64_t moves_alone{};  // by strategies in a row, at the end of the log

  /// Begins the game, at version 1.
  void begin(replay::StartedGame started, base::Moment now);

  /// The player's seat, if there is one.
  [[nodiscard]] std::optional<Seat> seat_of(PlayerId player) const;
  /// The seat on turn; null when no game is in play.
  [[nodiscard]] const store::SeatRow* on_turn() const;
  /// The strategy that plays the seat; empty if its player does.
  [[nodiscard]] std::string strategy_of(const store::SeatRow& seat) const;
  /// Whether a strategy plays one of the seats, of a bot or of a player who is away.
  [[nodiscard]] bool has_strategies() const;
  /// The strategy that plays for absent players.
  [[nodiscard]] std::string autoplay() const;
  /// Whether the player has a seat that no strategy plays.
  [[nodiscard]] bool plays(PlayerId player) const;

  /// Whether the clock gives so much that nobody waits for the others (limits::kClaimClockMax).
  [[nodiscard]] bool by_days() const;
  /// Whether the clock of the seat on turn has run out.
  [[nodiscard]] bool time_is_over() const;
  [[nodiscard]] bool time_is_over(base::Moment now) const;

  /// The command that gives the player the seat back from a strategy; empty if none plays it.
  [[nodiscard]] std::optional<TakeSeat> return_command(PlayerId player) const;
  /// Which players took part, for replay::outcome_of, by the moves and clocks at the end of the
  /// game. `rate_bots`: as in replay::Participation.
  [[nodiscard]] replay::Participation participation(bool rate_bots, const replay::MoveShares& moves,
                                                    const games::Clock& clocks) const;
};

/// The position of a loaded table. Moves values out of `game`.
[[nodiscard]] Position position_of(store::TableRow row, codec::TableOptions options,
                                   replay::Replayed& game);

}  // namespace tesela::tables
