// The address of a server for HTTP and streams, and its option.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tesela::cli {

struct ServerAddress {
  std::string host = "localhost";
  std::uint16_t port = 8080;
  bool tls = false;

  friend bool operator==(const ServerAddress&, const ServerAddress&) = default;
};

/// Reads "HOST", "HOST:PORT", "[IPV6]" or "[IPV6]:PORT", after "https://" where the server speaks
/// TLS; "http://" may stand there too, and "/" at the end. Without a port it is 8080, or 443 after
/// "https://".
/// kInvalidArgument, with a sentence that quotes the text, for anything else.
[[nodiscard]] Expected<ServerAddress> parse_server_address(std::string_view text);

/// "HOST:PORT", with brackets around an IPv6 address: a Host header.
[[nodiscard]] std::string to_text(const ServerAddress& address);

/// `--server HOST:PORT`, or TESELA_SERVER from the environment. `address` outlives the parsing, and
/// holds the default before it.
CLI::Option* add_server_option(CLI::App& app, ServerAddress& address);

/// The same for operators' subcommands. Where the environment has TESELA_OPS_PORT, as in a server's
/// container, the default is that port of this machine, and TESELA_SERVER is not read.
CLI::Option* add_ops_server_option(CLI::App& app, ServerAddress& address);

}  // namespace tesela::cli
