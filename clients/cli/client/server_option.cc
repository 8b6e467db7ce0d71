#include "clients/cli/client/server_option.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <optional>
#include <string>

namespace tesela::cli {

namespace {

CLI::Option* add_option(CLI::App& app, ServerAddress& address) {
  const auto read = [&address](const std::string& text) {
    const auto parsed = parse_server_address(text);
    if (!parsed) throw CLI::ValidationError("--server", parsed.error().message);
    address = *parsed;
  };
  return app
      .add_option_function<std::string>("--server", read, "Where the server listens for HTTP")
      ->type_name("HOST:PORT")
      ->default_str(to_text(address));
}

/// The port of operators on this machine; without one, or when it is any free one, that is not
/// known here.
std::optional<ServerAddress> ops_address() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): options are made before there are threads
  const char* port = std::getenv("TESELA_OPS_PORT");
  if (port == nullptr) return std::nullopt;
  const auto address = parse_server_address("127.0.0.1:" + std::string(port));
  if (!address) return std::nullopt;
  return *address;
}

}  // namespace

CLI::Option* add_server_option(CLI::App& app, ServerAddress& address) {
  return add_option(app, address)->envname("TESELA_SERVER");
}

CLI::Option* add_ops_server_option(CLI::App& app, ServerAddress& address) {
  const auto ops = ops_address();
  if (!ops) return add_server_option(app, address);
  address = *ops;
  return add_option(app, address);
}

}  // namespace tesela::cli
