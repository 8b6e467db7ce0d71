#include "clients/cli/server_option.h"

#include <CLI/CLI.hpp>
#include <string>

namespace tesela::cli {

CLI::Option* add_server_option(CLI::App& app, ServerAddress& address) {
  const auto read = [&address](const std::string& text) {
    const auto parsed = parse_server_address(text);
    if (!parsed) throw CLI::ValidationError("--server", parsed.error().message);
    address = *parsed;
  };
  return app
      .add_option_function<std::string>("--server", read, "Where the server listens for HTTP")
      ->envname("TESELA_SERVER")
      ->type_name("HOST:PORT")
      ->default_str(to_text(address));
}

}  // namespace tesela::cli
