// The seats of a table that strategies play, for themselves or for players who are away.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
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
    std::chrono::milliseconds pace;        // from a move to a bot's answer, at least
    std::chrono::milliseconds pace_alone;  // the same where nobody is connected
    std::uint64_t moves_alone;  // that strategies have played in a row while nobody was connected
  };

  /// All outlive it.
  BotSeats(const Position& position, Members& members, BotSearch& search, TableHost& host,
           metrics::Metrics& metrics, const Options& options)
      : position_(position),
        members_(members),
        search_(search),
        host_(host),
        metrics_(metrics),
        options_(options),
        moves_alone_(options.moves_alone) {}

  /// Has a strategy search, if one moves now; its move is queued when the pause is over.
  void ask() { ask(options_.pace); }
  void ask(std::chrono::milliseconds pause);
  /// Somebody has come to where bots rested, or were slow and asked after all others.
  void wake();
  /// The last connection has gone.
  void left_alone() { moves_alone_ = 0; }
  /// A move is durable.
  void moved(const MoveCommand& command);
  /// A bot's move is not played: it is asked again, or, if the rules refused it, another strategy.
  void refused(const MoveCommand& command, const Refusal& refusal);

  /// Whether a bot's move is to come.
  [[nodiscard]] bool thinks() const { return thinks_ && asked_at_ == position_.version; }
  /// Whether nothing is asked until somebody connects.
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
  Alarm pause_;
  std::chrono::steady_clock::time_point moves_at_{};  // not before
  std::uint64_t moves_alone_;
  bool thinks_ = false;
  bool rests_ = false;
  bool asked_alone_ = false;    // the last request, when nobody was connected
  Version asked_at_;            // of the last request
  std::uint64_t requests_ = 0;  // the answer to the last one alone counts
  games::Plan plan_;            // of the last reply
  Seat planned_;                // that it was for
};

}  // namespace tesela::tables
