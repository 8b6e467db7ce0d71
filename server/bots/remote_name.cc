#include "server/bots/remote_name.h"

#include <algorithm>

#include "server/base/limits.h"

namespace tesela::bots {
namespace {

constexpr std::string_view kPrefix = "ext/";

bool is_name(std::string_view name) {
  const auto fits = [](char c) {
    return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '-';
  };
  return !name.empty() && name.size() <= limits::kRemoteNameMax && std::ranges::all_of(name, fits);
}

}  // namespace

Expected<std::string> remote_strategy(std::string_view name) {
  if (is_name(name)) return std::string(kPrefix).append(name);
  return refuse(ErrorCode::kInvalidArgument, "A bot's name is 1 to " +
                                                 std::to_string(limits::kRemoteNameMax) +
                                                 " of the letters a to z, digits and hyphens.");
}

bool is_remote(std::string_view strategy) {
  return strategy.starts_with(kPrefix) && is_name(strategy.substr(kPrefix.size()));
}

}  // namespace tesela::bots
