#include <gtest/gtest.h>
#include <spdlog/details/log_msg.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "server/base/limits.h"
#include "server/base/log/log_limits.h"
#include "server/base/log/seldom_log.h"
#include "server/ops/logging.h"

namespace tesela::ops {
namespace {

std::string format(spdlog::formatter& formatter, std::string_view message,
                   spdlog::level::level_enum level = spdlog::level::info) {
  spdlog::memory_buf_t out;
  // 2026-01-31T12:00:00.007Z
  const spdlog::log_clock::time_point time{std::chrono::milliseconds{1'769'860'800'007}};
  formatter.format({time, {}, "", level, {message.data(), message.size()}}, out);
  return {out.data(), out.size()};
}

std::string as_json(std::string_view message) {
  return format(*json_formatter(), message);
}
std::string as_text(std::string_view message) {
  return format(*text_formatter(), message);
}

TEST(Logging, AJsonLineHasTimeLevelAndMessage) {
  EXPECT_EQ(format(*json_formatter(), "table made", spdlog::level::warn),
            R"({"time":"2026-01-31T12:00:00.007Z","level":"warning","message":"table made"})"
            "\n");
}

TEST(Logging, AJsonLineIsOneLineWhateverTheMessage) {
  const std::string message = "a \"quote\", a \\, a\nbreak, a \x01 and \xc3\xb1";
  const std::string line = as_json(message);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(nlohmann::json::parse(line)["message"], message);
}

TEST(Logging, BrokenUtf8BecomesReadableJson) {
  const auto line = nlohmann::json::parse(as_json("name \xff\xfe end"));
  EXPECT_EQ(line["message"], "name \xef\xbf\xbd\xef\xbf\xbd end");
}

TEST(Logging, ATextLineHasTimeLevelAndMessage) {
  EXPECT_EQ(as_text("table made"), "2026-01-31T12:00:00.007Z info table made\n");
}

TEST(Logging, AClientCannotForgeATextLineOrDriveATerminal) {
  EXPECT_EQ(as_text("name a\nERROR \x1b[31m\x7f"),
            "2026-01-31T12:00:00.007Z info name a\\x0aERROR \\x1b[31m\\x7f\n");
  // C1, a right-to-left override, a line separator, and a byte that is no UTF-8.
  EXPECT_EQ(as_text("\xc2\x9b"
                    "31m \xe2\x80\xae \xe2\x80\xa8 \x9b \xc3\xb1"),
            "2026-01-31T12:00:00.007Z info "
            "\\u{009b}31m \\u{202e} \\u{2028} \\x9b \xc3\xb1\n");
  const std::string json = as_json("\xc2\x9b \xe2\x80\xae \xc3\xb1");
  const auto harmless = [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); };
  EXPECT_TRUE(std::ranges::all_of(json, harmless)) << json;
}

/// What base::log gives to a formatter.
std::string formatted(spdlog::formatter& formatter, base::LogFields fields) {
  class Sink final : public spdlog::sinks::base_sink<std::mutex> {
   public:
    explicit Sink(spdlog::formatter& formatter) : formatter_(formatter) {}
    std::string text;

   private:
    void sink_it_(const spdlog::details::log_msg& message) override {
      spdlog::memory_buf_t out;
      formatter_.format(message, out);
      text.append(out.data(), out.size());
    }
    void flush_() override {}
    spdlog::formatter& formatter_;
  };
  const auto sink = std::make_shared<Sink>(formatter);
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("", sink));
  base::log(spdlog::level::info, "stream ended", std::move(fields));
  spdlog::set_default_logger(before);
  return sink->text;
}

std::string without_time(const std::string& line) {
  return line.substr(line.find(' ') + 1);
}

const base::LogFields kFields{{"table", "0123456789012"}, {"seat", 0},      {"player", nullptr},
                              {"reason", "a b=\n\x1b"},   {"seconds", 1.5}, {"address", ""}};

TEST(Logging, FieldsAreWordsInText) {
  EXPECT_EQ(without_time(formatted(*text_formatter(), kFields)),
            "info stream ended table=0123456789012 seat=0 reason=\"a b=\\n\\u001b\" seconds=1.5\n");
}

TEST(Logging, FieldsAreMembersInJson) {
  const std::string line = formatted(*json_formatter(), kFields);
  EXPECT_TRUE(line.ends_with(R"("message":"stream ended","table":"0123456789012","seat":0,)"
                             R"("reason":"a b=\n\u001b","seconds":1.5})"
                             "\n"))
      << line;
}

TEST(Logging, ALongValueIsCut) {
  const std::string line = formatted(*text_formatter(), {{"x", std::string(5000, 'x')}});
  EXPECT_EQ(without_time(line),
            "info stream ended x=" + std::string(limits::kLogValueBytesMax, 'x') + "\n");
}

TEST(Logging, AFieldEndsBeforeItsFirstBrokenByte) {
  const std::string line = formatted(*json_formatter(), {{"reason",
                                                          "a\xff"
                                                          "b"}});
  EXPECT_TRUE(line.ends_with("\"reason\":\"a\"}\n")) << line;
}

TEST(Logging, ASentenceMakesNoFields) {
  const std::string forged = R"(name{"table":"0123456789012"})";
  EXPECT_EQ(as_text(forged), "2026-01-31T12:00:00.007Z info " + forged + "\n");
  EXPECT_EQ(nlohmann::json::parse(as_json(forged)).size(), 3U);
}

using namespace std::chrono_literals;

TEST(SeldomLog, LogsOnceInAWhileAndCountsWhatItLeavesOut) {
  base::SeldomLog lines;
  const base::SeldomLog::Time begin{24h};
  EXPECT_EQ(lines.take(begin), 0U);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(lines.take(begin + 1ms), std::nullopt);
  EXPECT_EQ(lines.take(begin + limits::kStrangerLogPause - 1ns), std::nullopt);
  EXPECT_EQ(lines.take(begin + limits::kStrangerLogPause), 6U);
  EXPECT_EQ(lines.take(begin + limits::kStrangerLogPause), std::nullopt);
  EXPECT_EQ(lines.take(begin + 10 * limits::kStrangerLogPause), 1U);
}

TEST(SeldomLog, ManyLinesAtOnceAreTakenFromTheTimeAfter) {
  base::SeldomLog lines{10ms, 3};
  const base::SeldomLog::Time begin{24h};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(lines.take(begin), 0U);
  EXPECT_EQ(lines.take(begin), std::nullopt);
  EXPECT_EQ(lines.take(begin + 9ms), std::nullopt);
  EXPECT_EQ(lines.take(begin + 10ms), 2U);
  EXPECT_EQ(lines.take(begin + 10ms), std::nullopt);
}

}  // namespace
}  // namespace tesela::ops
