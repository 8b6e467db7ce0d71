#include "clients/cli/table/table_clock.h"

#include <algorithm>

namespace tesela::cli {
namespace {

constexpr std::int64_t kSecondMs = 1000;

std::int64_t ms_of(TableClock::Time time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

std::string two_digits(std::int64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
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

std::string time_words(std::int64_t ms) {
  const std::int64_t seconds = (std::max<std::int64_t>(ms, 0) + kSecondMs - 1) / kSecondMs;
  const std::int64_t minutes = seconds / 60;
  const std::int64_t hours = minutes / 60;
  if (hours >= 24) return std::to_string(hours / 24) + "d " + std::to_string(hours % 24) + "h";
  if (hours == 0) return std::to_string(minutes) + ":" + two_digits(seconds % 60);
  return std::to_string(hours) + ":" + two_digits(minutes % 60) + ":" + two_digits(seconds % 60);
}

}  // namespace tesela::cli
