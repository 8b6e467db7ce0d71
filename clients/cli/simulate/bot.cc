#include "clients/cli/simulate/bot.h"

#include <algorithm>
#include <charconv>
#include <ranges>

#include "clients/cli/base/value_text.h"

namespace tesela::cli {
namespace {

std::unexpected<Error> unreadable(std::string_view text, const std::string& why) {
  return refuse(ErrorCode::kInvalidArgument, "The bot '" + std::string{text} + "' " + why);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (const auto part : std::views::split(text, at)) parts.emplace_back(part.begin(), part.end());
  return parts;
}

/// "nodes=5000" or "time=20ms".
Expected<void> read_option(std::string_view option, BotBudget& budget) {
  constexpr std::string_view kNodes = "nodes=";
  constexpr std::string_view kTime = "time=";
  if (option.starts_with(kTime)) {
    const auto time = read_duration(option.substr(kTime.size()));
    if (!time) return std::unexpected(time.error());
    budget.time = *time;
    return {};
  }
  std::uint64_t nodes = 0;
  if (option.starts_with(kNodes)) {
    const std::string digits{option.substr(kNodes.size())};
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, nodes);
    nodes = read.ec == std::errc{} && read.ptr == end ? nodes : 0;
  }
  if (nodes == 0) {
    return refuse(ErrorCode::kInvalidArgument, "'" + std::string{option} +
                                                   "' is neither nodes=N, with N from 1 on, nor "
                                                   "time=T.");
  }
  budget.nodes = nodes;
  return {};
}

}  // namespace

Budget BotBudget::limits() const {
  return {.time = time.value_or(kNoTimeLimit), .nodes = nodes.value_or(kNoNodeLimit)};
}

Expected<void> check_remote_name(std::string_view strategy) {
  const std::string_view name = strategy.substr(kRemotePrefix.size());
  const auto fits = [](char c) {
    return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '-';
  };
  if (!name.empty() && name.size() <= kRemoteNameMax && std::ranges::all_of(name, fits)) return {};
  return unreadable(strategy, "cannot be offered: after " + std::string{kRemotePrefix} +
                                  " stand 1 to " + std::to_string(kRemoteNameMax) +
                                  " of the letters a to z, digits and hyphens.");
}

Expected<BotText> read_bot(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.empty() || parts.front().empty()) {
    return unreadable(text, "has no name: write a strategy, such as random or uct:nodes=5000.");
  }
  BotText bot{.text = std::string{text}, .strategy = std::string{parts.front()}};
  for (const std::string_view option : parts | std::views::drop(1)) {
    if (const auto read = read_option(option, bot.budget); !read) {
      return unreadable(text, "cannot be read: " + read.error().message);
    }
  }
  return bot;
}

Expected<std::vector<BotText>> read_bots(std::string_view list) {
  std::vector<BotText> bots;
  for (const std::string_view text : split(list, ',')) {
    auto bot = read_bot(text);
    if (!bot) return std::unexpected(bot.error());
    bots.push_back(*std::move(bot));
  }
  if (bots.empty()) return unreadable(list, "has no name: write a strategy, such as random.");
  return bots;
}

}  // namespace tesela::cli
