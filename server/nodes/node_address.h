// Where the node port of a server is, as the row of its life says it (lives.address).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tesela::nodes {

struct NodeAddress {
  std::string host;  // a name, or an IP address
  std::uint16_t port{};

  friend bool operator==(const NodeAddress&, const NodeAddress&) = default;
};

/// "node://HOST:PORT"; an IPv6 address stands in brackets.
[[nodiscard]] std::string to_text(const NodeAddress& address);

/// Reads it again. Empty for any other text: that server has no node port.
[[nodiscard]] std::optional<NodeAddress> parse_node_address(std::string_view text);

}  // namespace tesela::nodes
