// A player at one table, or somebody who watches it: connects again and again, and checks what is
// told.
#pragma once

#include <google/protobuf/any.pb.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/client/connect.h"
#include "clients/cli/client/task.h"
#include "tesela/play/v1/play.pb.h"
#include "tests/sim/kernel/kernel.h"

namespace tesela::sim {

/// Of slow players; players of games alone may take longer.
inline constexpr std::chrono::milliseconds kSlowRest{3000};

/// How somebody plays.
struct Habits {
  std::chrono::milliseconds rest{1000};  // before a move, on average
  std::uint64_t resends{};               // of the moves that were answered, up to so many again
  bool forgets{};                        // what was seen, at each reconnect
  bool talks{};
  bool cuts{};                                 // the connection, now and then
  bool errs{};                                 // sends what nobody can read
  bool asks{};                                 // for hints, and plays them
  bool regrets{};                              // takes moves back: practises
  bool resigns{};                              // now and then
  bool wanders{};                              // stays away for longer than others must wait
  bool claims{};                               // what those leave who are away
  std::chrono::milliseconds patience{20'000};  // with an unanswered move, before another stream

  [[nodiscard]] std::chrono::milliseconds rest_max() const { return rest * 3 / 2; }
};

/// One thread, that of `executor`.
class SeatedPlayer {
 public:
  SeatedPlayer(cli::Executor executor, cli::ServerAddress server, std::string table,
               std::string token, std::string name, Habits habits);

  /// Plays until the game is over, or `leave`.
  cli::Task<void> play();
  void leave() {
    leaves_ = true;
    pause_.cancel();
  }
  /// Connects once, says Hello `later` as somebody who has seen the newest version or none, and
  /// stays for so long.
  cli::Task<void> visit(bool knows, std::chrono::milliseconds later,
                        std::chrono::milliseconds time);

  [[nodiscard]] const std::string& table() const { return table_; }
  [[nodiscard]] bool over() const { return over_; }
  /// How many of its moves were acknowledged.
  [[nodiscard]] std::uint64_t moves() const { return moves_; }
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  /// Where the player is stuck, for people.
  [[nodiscard]] std::string standing() const;

 private:
  struct Sent {
    play::v1::Move move;
    std::uint64_t version{};  // that it became; 0: unanswered
  };

  cli::Task<void> one_stream();
  cli::Task<void> read_frames();
  cli::Task<void> make_moves();
  cli::Task<bool> send(play::v1::ClientFrame frame);
  /// Beside the moves.
  cli::Task<bool> speak();
  /// The seat of somebody who is away, if it is time to.
  cli::Task<bool> claim();
  /// What to do on turn. None: the view offers no move.
  [[nodiscard]] std::optional<google::protobuf::Any> choose() const;
  bool take(const play::v1::ServerFrame& frame);
  void take(const play::v1::Welcome& welcome);
  void take(const play::v1::Snapshot& snapshot);
  void take(const play::v1::Event& event);
  void take(const play::v1::Seating& seating);
  void take(const play::v1::Hint& hint);
  /// The view of `version_`; it is the one of `to`, if a move was taken back.
  void see(std::optional<std::uint64_t> to);
  void answered(const play::v1::Event& event);
  void take(const play::v1::Refusal& refusal);
  [[nodiscard]] bool on_turn() const;
  /// How long the player thinks now.
  [[nodiscard]] std::chrono::milliseconds thinks() const;

  cli::Executor executor_;
  const cli::ServerAddress server_;
  const std::string table_;
  const std::string token_;
  const std::string name_;
  const Habits habits_;
  cli::Timer pause_;
  std::optional<cli::WebSocket> stream_;
  std::uint64_t version_{};     // the last one that was received
  std::uint64_t current_{};     // the table's, as Welcome said
  std::uint64_t said_{};        // in Hello of this stream
  std::uint64_t shown_then_{};  // to anybody, when this stream was begun
  std::uint64_t epoch_then_{};
  std::optional<std::uint32_t> seat_;
  std::vector<std::uint32_t> turn_;
  google::protobuf::Any view_;
  std::optional<Sent> pending_;
  bool refused_{};         // for now
  std::deque<Sent> sent_;  // and answered
  std::uint64_t named_{};
  std::uint64_t moves_{};
  std::optional<play::v1::Hint> hint_;            // of `version_`, or of one before
  std::map<std::uint64_t, std::uint64_t> views_;  // hashes, of who takes moves back
  std::string neighbour_;                         // another player
  std::optional<std::uint32_t> absent_;           // the seat of somebody who is away
  cli::Timer::time_point claim_at_{};             // it, then
  std::chrono::milliseconds away_{};              // before the next stream
  std::uint64_t pinged_{};
  std::uint64_t ponged_{};
  bool resigned_{};
  std::string trouble_;
  bool knows_all_{};                         // what anybody was shown
  std::chrono::milliseconds hello_after_{};  // the WebSocket was opened
  bool welcomed_{};
  bool over_{};
  bool gone_{};  // Goodbye without return
  bool leaves_{};
};

}  // namespace tesela::sim
