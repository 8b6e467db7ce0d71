// The clocks of a table, as people read them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

/// What the server said last of the time that is left, and what its own clock shows. One thread.
class TableClock {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// A frame that came at `now` says that the server's clock showed `server_ms`, Unix time: then,
  /// or before, since events tell when they happened.
  void hear(std::int64_t server_ms, Time now);
  /// Another server, or the same one again: what was heard of its clock counts no more.
  void forget() { ahead_.reset(); }

  /// Replaces what is known of the players' time.
  void set(const play::v1::Clocks& clocks, Time now);
  void clear() { clocks_.reset(); }

  /// What the server's clock shows.
  [[nodiscard]] std::int64_t server_ms(Time now) const;
  /// What it showed when the clocks were as they are known; 0 without any.
  [[nodiscard]] std::int64_t set_ms() const { return clocks_ ? clocks_->now_ms() : 0; }

  /// What each of so many seats has left, such as "4:59"; nothing for a seat whose limit is not
  /// known. Empty without clocks.
  [[nodiscard]] std::vector<std::string> words(std::size_t seats,
                                               const std::vector<std::uint32_t>& on_turn,
                                               std::int64_t server_ms) const;
  /// How long the words stay true; empty while the clocks stand still.
  [[nodiscard]] std::optional<std::chrono::milliseconds> steady_for(std::int64_t server_ms) const;

 private:
  std::optional<std::int64_t> ahead_;  // of our steady clock, in milliseconds
  std::optional<play::v1::Clocks> clocks_;
};

}  // namespace tesela::cli
