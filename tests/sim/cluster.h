// The machines of a simulation: servers, their database, and where the players are.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "server/app/server.h"
#include "server/ops/config.h"
#include "tests/sim/database/database.h"
#include "tests/sim/kernel/network.h"

namespace tesela::sim {

inline constexpr std::uint16_t kHttpPort = 8080;

/// A machine on which servers run, one after the other.
class Machine {
 public:
  Machine(Node& address, std::filesystem::path folder, ops::Config config)
      : address_(address), folder_(std::move(folder)), config_(std::move(config)) {}

  /// The node of the present server, or of the last one.
  [[nodiscard]] Node& node() { return *node_; }
  [[nodiscard]] bool runs() const { return server_ != nullptr; }
  /// Returns when the server serves; false when it could not start.
  bool start();
  /// As SIGTERM: returns when it has ended.
  void stop();
  /// As SIGKILL.
  void kill();
  /// As SIGSTOP and SIGCONT.
  void pause() { node_->stopped = true; }
  void go_on() { node_->stopped = false; }

 private:
  Node& address_;
  std::filesystem::path folder_;
  ops::Config config_;
  Node* node_{};
  Server* server_{};                         // of a killed one the memory stays
  std::optional<std::size_t> threads_left_;  // when the last one had ended
};

class Cluster {
 public:
  Cluster(std::size_t servers, const std::filesystem::path& folder);

  [[nodiscard]] Machine& at(std::size_t index) { return *machines_[index]; }
  [[nodiscard]] std::size_t size() const { return machines_.size(); }
  [[nodiscard]] Database& database() { return *database_; }
  [[nodiscard]] const std::string& admin_token() const { return admin_token_; }

 private:
  std::unique_ptr<Database> database_;
  std::string admin_token_;
  std::vector<std::unique_ptr<Machine>> machines_;
};

}  // namespace tesela::sim
