// One connection of `tesela load`: sends, waits for the answer, sends again, and keeps the time.
#pragma once

#include <atomic>
#include <boost/beast/core/flat_buffer.hpp>
#include <memory>
#include <optional>

#include "clients/cli/client/connect.h"
#include "clients/cli/client/task.h"
#include "clients/cli/load/load_dialogue.h"
#include "clients/cli/load/load_tally.h"
#include "clients/cli/load/tempo.h"

namespace tesela::cli {

/// One thread; the tally and the phase outlive it.
class LoadConnection {
 public:
  LoadConnection(std::unique_ptr<LoadDialogue> dialogue, Tempo tempo, LoadTally& tally,
                 const std::atomic<LoadPhase>& phase)
      : dialogue_(std::move(dialogue)), tempo_(tempo), tally_(tally), phase_(phase) {}

  /// Plays until the phase is kStop, opening a new connection whenever one is over or lost.
  Task<void> play();
  /// Opens one connection and stays on it in silence until hang_up().
  Task<void> hold();
  /// Ends the thinking, and closes the socket if there is one: whatever waits on it ends.
  void hang_up();

 private:
  [[nodiscard]] bool stopping() const {
    return phase_.load(std::memory_order_relaxed) == LoadPhase::kStop;
  }
  Task<bool> open();
  Task<Expected<void>> round_trips();
  Task<Expected<void>> answer();

  std::unique_ptr<LoadDialogue> dialogue_;
  Tempo tempo_;
  std::optional<Timer> thinking_;  // while round_trips() runs
  LoadTally& tally_;
  const std::atomic<LoadPhase>& phase_;
  std::optional<WebSocket> stream_;
  boost::beast::flat_buffer buffer_;
  bool opened_before_ = false;
};

}  // namespace tesela::cli
