#include "clients/cli/admin/health.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "clients/cli/admin/readiness.h"
#include "clients/cli/base/fail.h"
#include "clients/cli/client/await.h"
#include "clients/cli/client/server_option.h"

namespace tesela::cli {

void add_health(CLI::App& app) {
  auto server = std::make_shared<ServerAddress>();
  auto& health = *app.add_subcommand(
      "health",
      "Say whether a server is ready; the exit code is 1, with the reason, when it is not");
  add_ops_server_option(health, *server);
  health.callback([server] {
    const auto ready = await(readiness(*server));
    if (!ready) fail(ready.error().message);
    std::cout << "ready\n";
  });
}

}  // namespace tesela::cli
