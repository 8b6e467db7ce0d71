#include "server/base/duration.h"

#include <array>
#include <charconv>
#include <cstdint>

namespace tesela::base {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t ms;
};

constexpr std::array kUnits{Unit{"d", 86'400'000}, Unit{"h", 3'600'000}, Unit{"m", 60'000},
                            Unit{"s", 1000}, Unit{"ms", 1}};
constexpr std::int64_t kMsMax = 100LL * 365 * 86'400'000;

}  // namespace

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
