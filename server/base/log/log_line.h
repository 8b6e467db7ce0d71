// Lines of the log with fields: a sentence, and what it is about as names and values.
#pragma once

#include <spdlog/common.h>
#include <spdlog/details/log_msg.h>

#include <nlohmann/json.hpp>
#include <string_view>

namespace tesela::base {

/// An object: {{"table", "0123456789abc"}, {"seat", 0}}. Names are ours, lower case with
/// underscores. A value is a number or a text; fields with null or an empty text are left out.
using LogFields = nlohmann::ordered_json;

/// Logs a sentence with fields; nothing where the level is off. What a text has beyond
/// limits::kLogValueBytesMax is cut off. Any thread.
void log(spdlog::level::level_enum level, std::string_view sentence, LogFields fields);

struct LogLine {
  std::string_view sentence;  // of the message
  LogFields fields;
};

/// A message, as `log` or another statement has made it. For formatters.
[[nodiscard]] LogLine read_line(const spdlog::details::log_msg& message);

/// Seconds or milliseconds with three digits behind the point.
[[nodiscard]] double rounded(double value);

}  // namespace tesela::base
