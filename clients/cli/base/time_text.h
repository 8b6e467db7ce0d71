// Durations and times as people write and read them.
#pragma once

#include <google/protobuf/timestamp.pb.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::cli {

/// A number and its unit, us, ms, s or min: "250ms", "1.5s". More than nothing, and at most a day.
/// Refuses with kInvalidArgument.
[[nodiscard]] Expected<std::chrono::microseconds> read_duration(std::string_view text);

/// Rounded up to seconds: "0:09", "4:59", "1:00:00"; from a day on "6d 23h".
[[nodiscard]] std::string time_words(std::int64_t ms);

/// UTC, as in "2026-11-21 07:22".
[[nodiscard]] std::string minute_text(const google::protobuf::Timestamp& time);

}  // namespace tesela::cli
