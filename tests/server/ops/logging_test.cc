#include <gtest/gtest.h>
#include <spdlog/details/log_msg.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "server/base/limits.h"
#include "server/base/seldom_log.h"
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

}  // namespace
}  // namespace tesela::ops
