#include "tests/sim/cluster.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>

#include "tests/sim/truth.h"

namespace tesela::sim {
namespace {

/// Runs what follows as a thread of a machine.
class At {
 public:
  explicit At(Node& node) : before_(Kernel::active()->node()) { Kernel::active()->move_to(node); }
  ~At() { Kernel::active()->move_to(before_); }
  At(const At&) = delete;
  At& operator=(const At&) = delete;

 private:
  Node& before_;
};

// Short, so that they are over in a run.
constexpr std::chrono::seconds kClaimAfter{2};
constexpr std::chrono::seconds kWaitingMax{60};
constexpr std::size_t kKeySize = 64;

std::filesystem::path key(const std::filesystem::path& folder, const char* name) {
  const auto path = folder / name;
  std::ofstream(path) << std::string(kKeySize, static_cast<char>('a' + name[0] % 6)) << '\n';
  std::filesystem::permissions(
      path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  return path;
}

}  // namespace

// A new process on the same machine: what the one before has left hears nothing.
bool Machine::start() {
  node_ = &address_;
  node_->stopped = false;
  const At here(*node_);
  try {
    server_ = new Server(config_);
    return true;
  } catch (const std::exception& error) {
    spdlog::warn("sim: the server at {} did not start: {}", node_->number, error.what());
    return false;
  }
}

void Machine::stop() {
  const At here(*node_);
  server_->stop();
  delete server_;
  server_ = nullptr;
  // Threads of libraries serve all servers of the process; they do not become more.
  const std::size_t threads = Kernel::active()->threads_of(*node_);
  const std::size_t sockets = Network::get().sockets_of(*node_);
  if (sockets > 0 || threads > threads_left_.value_or(threads)) {
    violated("left", "machine " + std::to_string(node_->number) + " has " +
                         std::to_string(sockets) + " sockets and " + std::to_string(threads) +
                         " threads after its server has ended");
  }
  threads_left_ = threads;
}

void Machine::kill() {
  Kernel::active()->kill(*node_);
  Network::get().kill(*node_);
  Database::get().forget(*node_);
  server_ = nullptr;
}

Cluster::Cluster(std::size_t servers, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  Kernel& kernel = *Kernel::active();
  {
    const At here(kernel.add_node());
    database_ = std::make_unique<Database>(folder / "database");
  }
  ops::Config config;
  config.database = "postgres://simulated";
  config.token_secret_file = key(folder, "token.key");
  config.daily_secret_file = key(folder, "daily.key");
  config.node_secret_file = key(folder, "node.key");
  config.admin_token_file = key(folder, "admin.key");
  std::ifstream(*config.admin_token_file) >> admin_token_;
  config.claim_after = kClaimAfter;
  config.waiting_max = kWaitingMax;
  config.sign_in_rate = 0;
  config.table_rate = 0;
  config.request_rate = 0;
  config.connect_rate = 0;
  for (std::size_t i = 0; i < servers; ++i) {
    Node& node = kernel.add_node();
    Network::get().balanced.push_back(&node);
    config.data = folder / ("server-" + std::to_string(i));
    config.node = {"0.0.0.0", 9000};
    config.node_name = "10.0.0." + std::to_string(node.number);
    machines_.push_back(std::make_unique<Machine>(node, config.data, config));
  }
}

}  // namespace tesela::sim
