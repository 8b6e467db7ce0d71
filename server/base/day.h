// Days, UTC, as boards and daily games count them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tesela::base {

[[nodiscard]] std::chrono::sys_days today();
/// The day of a Unix time in milliseconds.
[[nodiscard]] std::chrono::sys_days day_of(std::int64_t unix_ms);

/// As in "2026-11-21".
[[nodiscard]] std::string date_text(std::chrono::sys_days day);
/// Empty for anything that is no day of the years 1970 to 9999 in that form.
[[nodiscard]] std::optional<std::chrono::sys_days> parse_date(std::string_view text);

}  // namespace tesela::base
