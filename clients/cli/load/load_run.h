// `tesela load`: how many moves a second a server takes, how long each takes, and how much memory a
// table needs, measured over real sockets.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "clients/cli/client/server_address.h"

namespace CLI {
class App;
}

namespace tesela::cli {

/// The options of `tesela load`.
struct LoadOptions {
  ServerAddress server;
  std::string game = "2048";
  std::size_t tables = 100;
  std::size_t threads = 1;
  double rate = 0;  // moves a second at each table; 0: each as soon as the last is answered
  std::chrono::seconds warm_up{2};
  std::chrono::seconds duration{10};
  bool idle = false;  // open the tables, do not play, and measure the memory
  bool echo = false;  // the server is tests/bench/echo_baseline
  std::optional<int> server_pid;
};

/// Adds the subcommand `tesela load`.
void add_load(CLI::App& app);

}  // namespace tesela::cli
