#include "clients/cli/base/duration_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace tesela::cli {
namespace {

struct Unit {
  std::string_view name;
  double us;
};
constexpr std::array kUnits{Unit{"us", 1}, Unit{"ms", 1e3}, Unit{"s", 1e6}, Unit{"min", 60e6}};
constexpr double kMaxUs = 24 * 60 * 60e6;

}  // namespace

Expected<std::chrono::microseconds> read_duration(std::string_view text) {
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto read_size = static_cast<std::size_t>(read.ptr - text.data());
  const auto unit = std::ranges::find(kUnits, text.substr(read_size), &Unit::name);
  const double us = unit == kUnits.end() ? 0 : number * unit->us;
  if (read.ec != std::errc{} || !(us >= 1 && us <= kMaxUs)) {
    return refuse(ErrorCode::kInvalidArgument,
                  "'" + std::string{text} +
                      "' is not a time from 1us to a day, such as 250ms, 1.5s or 2min.");
  }
  return std::chrono::microseconds{static_cast<std::int64_t>(us)};
}

}  // namespace tesela::cli
