#include "clients/cli/table/table_clock.h"

#include <algorithm>

#include "clients/cli/base/value_text.h"

namespace tesela::cli {
namespace {

constexpr std::int64_t kSecondMs = 1000;

std::int64_t ms_of(TableClock::Time time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

}  // namespace

void TableClock::hear(std::int64_t server_ms, Time now) {
  const std::int64_t ahead = server_ms - ms_of(now);
  ahead_ = std::max(ahead, ahead_.value_or(ahead));
}

void TableClock::set(const play::v1::Clocks& clocks, Time now) {
  hear(clocks.now_ms(), now);
  clocks_ = clocks;
}

std::int64_t TableClock::server_ms(Time now) const {
  return ms_of(now) + ahead_.value_or(0);
}

std::vector<std::string> TableClock::words(std::size_t seats,
                                           const std::vector<std::uint32_t>& on_turn,
                                           std::int64_t server_ms) const {
  if (!clocks_) return {};
  std::vector<std::string> words(seats);
  const auto limits = std::min(seats, static_cast<std::size_t>(clocks_->left_ms_size()));
  for (std::size_t seat = 0; seat < limits; ++seat) {
    words[seat] = time_words(clocks_->left_ms(static_cast<int>(seat)));
  }
  if (!clocks_->has_deadline_ms()) return words;
  for (const std::uint32_t seat : on_turn) {
    if (seat < seats) words[seat] = time_words(clocks_->deadline_ms() - server_ms);
  }
  return words;
}

std::optional<std::chrono::milliseconds> TableClock::steady_for(std::int64_t server_ms) const {
  if (!clocks_ || !clocks_->has_deadline_ms()) return std::nullopt;
  const std::int64_t left_ms = clocks_->deadline_ms() - server_ms;
  if (left_ms <= 0) return std::nullopt;
  return std::chrono::milliseconds{(left_ms - 1) % kSecondMs + 1};
}

}  // namespace tesela::cli
