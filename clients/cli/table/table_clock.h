// The players' clocks of a table, as text.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

/// The remaining times as the server sent them last, and an estimate of the server's clock. One
/// thread.
class TableClock {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// A frame received at `now` has the server's time `server_ms` (Unix time). It may be older than
  /// the frame, because events have the time at which they happened.
  void hear(std::int64_t server_ms, Time now);
  /// Forgets the estimate of the server's clock: for a new connection.
  void forget() { ahead_.reset(); }

  /// Replaces the players' times.
  void set(const play::v1::Clocks& clocks, Time now);
  void clear() { clocks_.reset(); }

  /// The estimated time of the server's clock.
  [[nodiscard]] std::int64_t server_ms(Time now) const;
  /// The server's time for which the players' times were sent; 0 without clocks.
  [[nodiscard]] std::int64_t set_ms() const { return clocks_ ? clocks_->now_ms() : 0; }

  /// The time left for each of `seats` seats, such as "4:59"; empty for a seat without a known
  /// limit. No elements without clocks.
  [[nodiscard]] std::vector<std::string> words(std::size_t seats,
                                               const std::vector<std::uint32_t>& on_turn,
                                               std::int64_t server_ms) const;
  /// How long until the words change; empty while no clock runs.
  [[nodiscard]] std::optional<std::chrono::milliseconds> steady_for(std::int64_t server_ms) const;

 private:
  std::optional<std::int64_t> ahead_;  // of our steady clock, in milliseconds
  std::optional<play::v1::Clocks> clocks_;
};

}  // namespace tesela::cli
