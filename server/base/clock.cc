#include "server/base/clock.h"

#include <spdlog/fmt/fmt.h>

#include <array>
#include <charconv>
#include <cstdint>

namespace tesela::base {
namespace {

using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr std::string_view kPattern = "0000-00-00";

std::optional<unsigned> number(std::string_view digits) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

struct Unit {
  std::string_view name;
  std::int64_t ms;
};

constexpr std::array kUnits{Unit{"d", 86'400'000}, Unit{"h", 3'600'000}, Unit{"m", 60'000},
                            Unit{"s", 1000}, Unit{"ms", 1}};
constexpr std::int64_t kMsMax = 100LL * 365 * 86'400'000;

}  // namespace

sys_days today() {
  return day_of(unix_ms());
}

sys_days day_of(std::int64_t unix_ms) {
  return std::chrono::floor<std::chrono::days>(
      std::chrono::sys_time<std::chrono::milliseconds>{std::chrono::milliseconds{unix_ms}});
}

std::string date_text(sys_days day) {
  const year_month_day date{day};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string minute_text(std::int64_t unix_ms) {
  constexpr std::int64_t kMinuteMs = 60'000;
  constexpr std::int64_t kMinutesADay = 24 * 60;
  const sys_days day = day_of(unix_ms);
  const std::int64_t minute = unix_ms / kMinuteMs - day.time_since_epoch().count() * kMinutesADay;
  return fmt::format("{} {:02}:{:02} UTC", date_text(day), minute / 60, minute % 60);
}

std::optional<sys_days> parse_date(std::string_view text) {
  if (text.size() != kPattern.size() || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto y = number(text.substr(0, 4));
  const auto m = number(text.substr(5, 2));
  const auto d = number(text.substr(8, 2));
  if (!y || !m || !d || *y < 1970) return std::nullopt;
  const year_month_day date{year{static_cast<int>(*y)}, std::chrono::month{*m},
                            std::chrono::day{*d}};
  if (!date.ok()) return std::nullopt;
  return sys_days{date};
}

Expected<std::chrono::milliseconds> parse_duration(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view name = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error == std::errc{} && count >= 0) {
    for (const Unit& unit : kUnits) {
      if (unit.name == name && count <= kMsMax / unit.ms) {
        return std::chrono::milliseconds{count * unit.ms};
      }
    }
  }
  return refuse(
      ErrorCode::kInvalidArgument,
      "\"" + std::string{text} +
          "\" is not a duration; write a whole number and ms, s, m, h or d, such as 15s.");
}

std::string duration_text(std::chrono::milliseconds duration) {
  for (const Unit& unit : kUnits) {
    if (duration.count() != 0 && duration.count() % unit.ms == 0) {
      return std::to_string(duration.count() / unit.ms).append(unit.name);
    }
  }
  return "0s";
}

}  // namespace tesela::base
