// The seats that strategies play: those of bots and of absent players.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "engine/core/ids.h"
#include "server/games/bot_request.h"
#include "server/metrics/metrics.h"
#include "server/tables/bot_search.h"
#include "server/tables/core/move_attempt.h"
#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"
#include "server/tables/members/members.h"

namespace tesela::tables {

/// One thread: the table's.
class BotSeats {
 public:
  struct Options {
    std::chrono::milliseconds pace;        // the least time from a move to a bot's answer
    std::chrono::milliseconds pace_alone;  // the same where nobody is connected
    std::uint64_t moves_alone;  // played in a row by strategies while nobody was connected
  };

  /// The references outlive it.
  BotSeats(const Position& position, Members& members, BotSearch& search, TableHost& host,
           metrics::Metrics& metrics, const Options& options)
      : position_(position),
        members_(members),
        search_(search),
        host_(host),
        metrics_(metrics),
        options_(options),
        moves_alone_(options.moves_alone) {}

  /// Starts a search if a strategy is on turn. Its move is queued when the pause is over.
  void ask() { ask(options_.pace); }
  void ask(std::chrono::milliseconds pause);
  /// A member has connected: bots that were resting or slow play at the normal pace again.
  void wake();
  /// The last member has left.
  void left_alone() { moves_alone_ = 0; }
  /// A move was stored.
  void moved(const MoveCommand& command);
  /// A bot's move was refused: the strategy is asked again, or another one if the rules refused it.
  void refused(const MoveCommand& command, const Refusal& refusal);

  /// Whether a search for the current version is under way.
  [[nodiscard]] bool thinks() const { return thinks_ && asked_at_ == position_.version; }
  /// Whether bots wait until somebody connects (limits::kMovesAloneMax).
  [[nodiscard]] bool rests() const { return rests_; }

 private:
  [[nodiscard]] bool plays_on() const;
  void ask(const store::SeatRow& seat, std::string_view strategy);
  void answered(const store::SeatRow& seat, Version version,
                const std::optional<games::BotReply>& reply);
  void play(const store::SeatRow& seat, Version version, const games::BotReply& reply);
  void after(std::chrono::milliseconds pause, std::function<void()> then);

  const Position& position_;
  Members& members_;
  BotSearch& search_;
  TableHost& host_;
  metrics::Metrics& metrics_;
  const Options options_;
  LazyTimer pause_;
  std::chrono::steady_clock::time_point moves_at_{};  // the earliest time of the next move
  std::uint64_t moves_alone_;
  bool thinks_ = false;
  bool rests_ = false;
  bool asked_alone_ = false;     // the last request was made while nobody was connected
  Version asked_at_;             // of the last request
  std::uint64_t requests_ = 0;   // counts requests: only the reply to the last one is used
  games::Plan next_plan_;        // of the last reply: holds after its move
  games::Plan plan_;             // of the last strategy's move that was stored
  std::optional<Seat> planned_;  // the seat of `plan_`
};

}  // namespace tesela::tables
