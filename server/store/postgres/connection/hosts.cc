#include "server/store/postgres/connection/hosts.h"

#include <libpq-fe.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <memory>
#include <string_view>

namespace tesela::store::postgres {
namespace {

using Options = std::map<std::string, std::string>;

/// What `url` says; empty if libpq cannot read it.
Options options_of(const std::string& url) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed(
      PQconninfoParse(url.c_str(), nullptr), PQconninfoFree);
  Options options;
  for (const PQconninfoOption* option = parsed.get();
       option != nullptr && option->keyword != nullptr; ++option) {
    if (option->val != nullptr) options.emplace(option->keyword, option->val);
  }
  return options;
}

/// The elements of an option that is a list; none, if it is not there.
std::vector<std::string> list(const Options& options, const std::string& keyword) {
  const auto found = options.find(keyword);
  if (found == options.end()) return {};
  std::vector<std::string> elements;
  std::string_view rest = found->second;
  for (;;) {
    const auto comma = rest.find(',');
    elements.emplace_back(rest.substr(0, comma));
    if (comma == std::string_view::npos) return elements;
    rest.remove_prefix(comma + 1);
  }
}

/// As libpq has it: nothing below a second is a limit, and two seconds are the least.
std::optional<std::chrono::seconds> time_max_of(const Options& options) {
  const auto found = options.find("connect_timeout");
  if (found == options.end()) return std::nullopt;
  int seconds = 0;
  const std::string& text = found->second;
  std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (seconds <= 0) return std::nullopt;
  return std::chrono::seconds{std::max(seconds, 2)};
}

}  // namespace

std::vector<Host> hosts_of(const std::string& url) {
  const Options options = options_of(url);
  const auto names = list(options, "host");
  const auto addresses = list(options, "hostaddr");
  const auto ports = list(options, "port");
  const std::size_t count = std::max(names.size(), addresses.size());
  const auto fits = [count](const std::vector<std::string>& values) {
    return values.size() <= 1 || values.size() == count;
  };
  if (options.empty() || count <= 1 || !fits(ports) || !fits(names) || !fits(addresses)) {
    return {{.options = {{"dbname", url}}, .time_max = time_max_of(options)}};
  }
  std::vector<Host> hosts;
  for (std::size_t i = 0; i < count; ++i) {
    Options own = options;
    if (!names.empty()) own["host"] = names.size() == 1 ? names[0] : names[i];
    if (!addresses.empty()) own["hostaddr"] = addresses.size() == 1 ? addresses[0] : addresses[i];
    if (!ports.empty()) own["port"] = ports.size() == 1 ? ports[0] : ports[i];
    hosts.push_back({.options = {own.begin(), own.end()}, .time_max = time_max_of(options)});
  }
  return hosts;
}

}  // namespace tesela::store::postgres
