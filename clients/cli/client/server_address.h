// Where a server listens for HTTP and streams.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::cli {

struct ServerAddress {
  std::string host = "localhost";
  std::uint16_t port = 8080;
  bool tls = false;

  friend bool operator==(const ServerAddress&, const ServerAddress&) = default;
};

/// Reads "HOST", "HOST:PORT", "[IPV6]" or "[IPV6]:PORT", after "https://" where the server speaks
/// TLS; "http://" may stand there too. Without a port it is 8080, or 443 after "https://".
/// kInvalidArgument, with a sentence that quotes the text, for anything else.
[[nodiscard]] Expected<ServerAddress> parse_server_address(std::string_view text);

/// "HOST:PORT", with brackets around an IPv6 address: a Host header.
[[nodiscard]] std::string to_text(const ServerAddress& address);

}  // namespace tesela::cli
