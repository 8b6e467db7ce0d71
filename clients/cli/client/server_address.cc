#include "clients/cli/client/server_address.h"

#include <charconv>
#include <optional>

namespace tesela::cli {
namespace {

constexpr std::uint16_t kHttpsPort = 443;

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

}  // namespace

Expected<ServerAddress> parse_server_address(std::string_view whole) {
  std::string_view text = whole;
  const bool tls = text.starts_with("https://");
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (text.starts_with(scheme)) text.remove_prefix(scheme.size());
  }
  const bool bracketed = text.starts_with('[');
  const std::size_t host_end = bracketed ? text.find(']') : text.find(':');
  const std::string_view host = text.substr(bracketed ? 1 : 0, bracketed ? host_end - 1 : host_end);
  std::string_view rest;
  if (host_end != std::string_view::npos) rest = text.substr(host_end + (bracketed ? 1 : 0));
  ServerAddress address{.host = std::string(host), .tls = tls};
  if (tls) address.port = kHttpsPort;
  const bool host_valid = !host.empty() && !(bracketed && host_end == std::string_view::npos) &&
                          host.find_first_of("/ []") == std::string_view::npos;
  if (host_valid && rest.empty()) return address;
  if (host_valid && rest.starts_with(':')) {
    if (const auto port = parse_port(rest.substr(1))) {
      address.port = *port;
      return address;
    }
  }
  return refuse(ErrorCode::kInvalidArgument,
                "'" + std::string(whole) +
                    "' is not HOST:PORT, such as localhost:8080 or https://play.example.");
}

std::string to_text(const ServerAddress& address) {
  const bool ipv6 = address.host.find(':') != std::string::npos;
  const std::string host = ipv6 ? "[" + address.host + "]" : address.host;
  return host + ":" + std::to_string(address.port);
}

}  // namespace tesela::cli
