#include "server/quota/forwarded_for.h"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace tesela::quota {
namespace {

namespace ip = boost::asio::ip;

constexpr std::string_view kSpace = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

// ":4000", or nothing.
bool is_port(std::string_view text) {
  if (text.empty()) return true;
  std::uint16_t port{};
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data() + 1, end, port);
  return text.front() == ':' && error == std::errc{} && read == end;
}

}  // namespace

std::optional<std::string_view> last_forwarded(std::string_view& all) {
  while (!all.empty()) {
    const std::size_t comma = all.rfind(',');
    const std::size_t begin = comma == std::string_view::npos ? 0 : comma + 1;
    const std::string_view entry = trimmed(all.substr(begin));
    all = all.substr(0, begin == 0 ? 0 : comma);
    if (!entry.empty()) return entry;
  }
  return std::nullopt;
}

std::optional<ip::address> forwarded_address(std::string_view entry) {
  boost::system::error_code error;
  if (entry.starts_with('[')) {
    const std::size_t end = entry.find(']');
    if (end == std::string_view::npos || !is_port(entry.substr(end + 1))) return std::nullopt;
    const ip::address address = ip::make_address_v6(entry.substr(1, end - 1), error);
    return error ? std::nullopt : std::optional{address};
  }
  // A single colon separates a port: IPv6 has at least two.
  const std::size_t colon = entry.find(':');
  const bool has_port = colon != std::string_view::npos && entry.rfind(':') == colon;
  if (has_port && !is_port(entry.substr(colon))) return std::nullopt;
  const ip::address address = ip::make_address(has_port ? entry.substr(0, colon) : entry, error);
  return error ? std::nullopt : std::optional{address};
}

}  // namespace tesela::quota
