// One connection of `tesela load`: sends, waits for the answer, sends again, and measures the time.
#pragma once

#include <atomic>
#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "clients/cli/client/connect.h"
#include "clients/cli/client/task.h"
#include "clients/cli/load/histogram.h"
#include "clients/cli/load/pacing.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// The phase of a run. Set by the main thread only.
enum class LoadPhase : std::uint8_t { kWarmUp, kMeasure, kStop };

/// The counters of a thread. The thread writes, and the main thread reads the atomics for its
/// progress lines; the histogram is read when the thread has ended.
struct LoadCounters {
  /// Counts an error, and prints it on standard error if it is among the thread's first few.
  void error(std::string_view why);

  Histogram latencies;                   // of the measured moves
  std::atomic<std::uint64_t> moves{0};   // measured
  std::atomic<std::uint64_t> errors{0};  // of the whole run
  std::atomic<std::uint64_t> open{0};    // connections that have been ready to play
};

/// The frames of one connection. The loop that paces and measures (LoadConnection) is the same for
/// a table and for the echo server that it is compared with.
///
/// One connection, one thread. Calls come in the order: open, then next_frame and accept in turn
/// until over() or an error, then open again.
class LoadDialogue {
 public:
  virtual ~LoadDialogue() = default;

  /// A connection on which the first frame may be sent.
  virtual Task<Expected<WebSocket>> open() = 0;
  /// Frames a second that the peer allows; 0 for no limit. Known after open().
  [[nodiscard]] virtual std::uint32_t frames_per_second_max() const = 0;
  /// The next frame to send. Valid until the next call.
  virtual std::string_view next_frame() = 0;
  /// Takes a frame of the peer. True when it answers the frame sent last; an error for any frame
  /// that a healthy peer does not send, and for one that ends the connection.
  virtual Expected<bool> accept(std::string_view frame) = 0;
  /// Takes a frame of a connection on which nothing is sent. Error: it ends the connection.
  virtual Expected<void> overhear(std::string_view /*frame*/) { return {}; }
  /// After an error of open, accept or overhear: open() goes on at the same table, which another
  /// server has or takes, and how long the peer had it wait. Empty: it was no such error.
  [[nodiscard]] virtual std::optional<std::chrono::milliseconds> moved() const {
    return std::nullopt;
  }
  /// Nothing more can be sent on this connection.
  [[nodiscard]] virtual bool over() const = 0;
};

/// One thread; the counters and the phase outlive it.
class LoadConnection {
 public:
  LoadConnection(std::unique_ptr<LoadDialogue> dialogue, ThinkTime think_time,
                 LoadCounters& counters, const std::atomic<LoadPhase>& phase)
      : dialogue_(std::move(dialogue)),
        think_time_(think_time),
        counters_(counters),
        phase_(phase) {}

  /// Plays until the phase is kStop, opening a new connection whenever one is over or lost.
  Task<void> play();
  /// Opens one connection and keeps it open, without sending, until hang_up(). Opens another one
  /// only where the table moves.
  Task<void> hold();
  /// Cancels the wait before the next move, and closes the socket if there is one, which ends what
  /// waits on it.
  void hang_up();

 private:
  [[nodiscard]] bool stopping() const {
    return phase_.load(std::memory_order_relaxed) == LoadPhase::kStop;
  }
  Task<bool> open();
  /// The connection has ended by this error: counts it, unless the table moves, and waits for that.
  Task<void> ended(Error error);
  Task<Expected<void>> round_trips();
  Task<Expected<void>> answer();

  std::unique_ptr<LoadDialogue> dialogue_;
  ThinkTime think_time_;
  std::optional<Timer> pause_timer_;  // while round_trips() runs
  LoadCounters& counters_;
  const std::atomic<LoadPhase>& phase_;
  std::optional<WebSocket> stream_;
  boost::beast::flat_buffer buffer_;
  bool opened_before_ = false;
};

}  // namespace tesela::cli
