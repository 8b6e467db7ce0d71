#include "server/base/log/log_line.h"

#include <spdlog/spdlog.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "server/base/log/log_limits.h"
#include "server/base/text_encoding.h"

namespace tesela::base {
namespace {

// The place in the source of a message that ends with an object of fields. Found by its address, so
// that no text of a client makes fields; its line is the length of the sentence.
constexpr std::array kWithFields{'f', 'i', 'e', 'l', 'd', 's', '\0'};

}  // namespace

void log(spdlog::level::level_enum level, std::string_view sentence, LogFields fields) {
  spdlog::logger* const logger = spdlog::default_logger_raw();
  if (!logger->should_log(level)) return;
  LogFields kept = LogFields::object();
  for (auto& [name, value] : fields.items()) {
    if (value.is_string()) {
      // Also ends before the first byte that is no UTF-8, at which dump() would throw.
      value = cut_text(value.get_ref<const std::string&>(), limits::kLogValueBytesMax);
    }
    if (!value.is_null() && value != "") kept[name] = std::move(value);
  }
  const std::string text = std::string{sentence} + kept.dump();
  logger->log({kWithFields.data(), static_cast<int>(sentence.size()), ""}, level, text);
}

LogLine read_line(const spdlog::details::log_msg& message) {
  const std::string_view text{message.payload.data(), message.payload.size()};
  if (message.source.filename != kWithFields.data()) return {text, LogFields::object()};
  const auto end = static_cast<std::size_t>(message.source.line);
  return {text.substr(0, end), LogFields::parse(text.substr(end))};
}

double rounded(double value) {
  return std::round(value * 1000) / 1000;
}

}  // namespace tesela::base
