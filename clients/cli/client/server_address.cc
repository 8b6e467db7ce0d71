#include "clients/cli/client/server_address.h"

#include <charconv>
#include <cstdlib>
#include <optional>

#include "clients/cli/base/subcommands.h"

namespace tesela::cli {
namespace {

constexpr std::uint16_t kHttpsPort = 443;

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

CLI::Option* add_option(CLI::App& app, ServerAddress& address, const std::string& variable) {
  return add_text_option(app,
                         {.name = "--server",
                          .about = "Where the server listens for HTTP",
                          .type = "HOST:PORT",
                          .initial = to_text(address),
                          .variable = variable},
                         [&address](const std::string& text) {
                           const auto parsed = parse_server_address(text);
                           if (!parsed) refuse_option("--server", parsed.error().message);
                           address = *parsed;
                         });
}

/// The operators' port of this machine; empty when it is not set, or is not a fixed port.
std::optional<ServerAddress> ops_address() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): options are made before there are threads
  const char* port = std::getenv("TESELA_OPS_PORT");
  if (port == nullptr) return std::nullopt;
  const auto address = parse_server_address("127.0.0.1:" + std::string(port));
  if (!address) return std::nullopt;
  return *address;
}

}  // namespace

Expected<ServerAddress> parse_server_address(std::string_view whole) {
  std::string_view text = whole;
  const bool tls = text.starts_with("https://");
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (text.starts_with(scheme)) text.remove_prefix(scheme.size());
  }
  if (text.ends_with('/')) text.remove_suffix(1);
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

CLI::Option* add_server_option(CLI::App& app, ServerAddress& address) {
  return add_option(app, address, "TESELA_SERVER");
}

CLI::Option* add_ops_server_option(CLI::App& app, ServerAddress& address) {
  const auto ops = ops_address();
  if (!ops) return add_server_option(app, address);
  address = *ops;
  return add_option(app, address, "");
}

}  // namespace tesela::cli
