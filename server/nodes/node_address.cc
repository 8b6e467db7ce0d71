#include "server/nodes/node_address.h"

#include <charconv>

#include "server/net/endpoint.h"

namespace tesela::nodes {
namespace {

constexpr std::string_view kScheme = "node://";

}  // namespace

std::string to_text(const NodeAddress& address) {
  return std::string(kScheme) + net::host_and_port(address.host, address.port);
}

std::optional<NodeAddress> parse_node_address(std::string_view text) {
  if (!text.starts_with(kScheme)) return std::nullopt;
  text.remove_prefix(kScheme.size());
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const std::string_view digits = text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  if (host.empty() || port == 0) return std::nullopt;
  return NodeAddress{.host = std::string(host), .port = port};
}

}  // namespace tesela::nodes
