#include "server/ops/logging.h"

#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "server/base/log/log_line.h"
#include "server/base/printing/colour.h"
#include "server/base/printing/printable.h"

namespace tesela::ops {
namespace {

std::string_view view(spdlog::string_view_t text) {
  return {text.data(), text.size()};
}

std::string utc(spdlog::log_clock::time_point time) {
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     ms % 1000);
}

/// A value of a field: a word as it is, any other text in quotes.
std::string shown_as(const nlohmann::ordered_json& value) {
  constexpr std::string_view kInWords = "._-:/@%+";
  const auto* text = value.get_ptr<const std::string*>();
  const auto in_word = [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kInWords.contains(c);
  };
  if (text != nullptr && std::ranges::all_of(*text, in_word)) return *text;
  return base::printable(value.dump());
}

class JsonFormatter final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
    const base::LogLine told = base::read_line(message);
    nlohmann::ordered_json line{{"time", utc(message.time)},
                                {"level", view(spdlog::level::to_string_view(message.level))},
                                {"message", told.sentence}};
    for (const auto& [name, value] : told.fields.items()) line[name] = value;
    // In ASCII, so that nothing of a message acts on a terminal either.
    const std::string text =
        line.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + '\n';
    out.append(text.data(), text.data() + text.size());
  }

  [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<JsonFormatter>();
  }
};

class TextFormatter final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
    fmt::format_to(std::back_inserter(out), "{} ", utc(message.time));
    message.color_range_start = out.size();
    fmt::format_to(std::back_inserter(out), "{}",
                   view(spdlog::level::to_string_view(message.level)));
    message.color_range_end = out.size();
    out.push_back(' ');
    const base::LogLine told = base::read_line(message);
    std::string shown = base::printable(told.sentence);
    for (const auto& [name, value] : told.fields.items())
      shown += ' ' + name + '=' + shown_as(value);
    out.append(shown.data(), shown.data() + shown.size());
    out.push_back('\n');
  }

  [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<TextFormatter>();
  }
};

}  // namespace

std::unique_ptr<spdlog::formatter> json_formatter() {
  return std::make_unique<JsonFormatter>();
}
std::unique_ptr<spdlog::formatter> text_formatter() {
  return std::make_unique<TextFormatter>();
}

void start_logging(LogFormat format, spdlog::level::level_enum level) {
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  if (!base::wants_colours()) sink->set_color_mode(spdlog::color_mode::never);
  auto logger = std::make_shared<spdlog::logger>("tesela", std::move(sink));
  logger->set_level(level);
  logger->flush_on(spdlog::level::warn);
  logger->set_formatter(format == LogFormat::kJson ? json_formatter() : text_formatter());
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace tesela::ops
