#include "server/quota/host_names.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cctype>

namespace tesela::quota {
namespace {

constexpr std::string_view kLocal = "localhost";

bool is_name(std::string_view text) {
  constexpr std::size_t kNameMax = 253;  // RFC 1035
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_';
  };
  return !text.empty() && text.size() <= kNameMax && std::ranges::all_of(text, allowed);
}

std::string lower(std::string_view text) {
  std::string low{text};
  std::ranges::transform(low, low.begin(), [](unsigned char c) { return std::tolower(c); });
  return low;
}

bool is_address(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  boost::system::error_code error;
  boost::asio::ip::make_address(host, error);
  return !error;
}

// Without the port, and without the dot that ends an absolute name.
std::string_view without_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const bool bare_v6 = !host.starts_with('[') && host.find(':') != colon;
  const bool has_port = colon != std::string_view::npos && !bare_v6 && !host.ends_with(']');
  if (has_port) host = host.substr(0, colon);
  if (host.ends_with('.')) host.remove_suffix(1);
  return host;
}

}  // namespace

Expected<HostNames> HostNames::parse(std::string_view text) {
  HostNames hosts;
  if (text == "none") return hosts;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view one = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    if (!is_name(one)) {
      return refuse(ErrorCode::kInvalidArgument,
                    "\"" + std::string{one} +
                        "\" is not the name of a host; write it without a scheme and a port, such "
                        "as play.example.org, several of them with commas between, or none.");
    }
    if (one.ends_with('.')) one.remove_suffix(1);
    hosts.names_.push_back(lower(one));
  }
  return hosts;
}

bool HostNames::own(std::string_view host) const {
  if (host.empty()) return true;
  const std::string_view bare = without_port(host);
  if (is_address(bare)) return true;
  const std::string low = lower(bare);
  return low == kLocal || std::ranges::find(names_, low) != names_.end();
}

}  // namespace tesela::quota
