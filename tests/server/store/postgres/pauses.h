// Whether the database or the machine stood still while a test measured times.
#pragma once

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

#include "server/base/clock.h"
#include "server/base/ownership_limits.h"
#include "tests/server/store/postgres/database.h"

namespace tesela::store {

/// Asks the database again and again, to know whether it or the machine stood still meanwhile:
/// then a heartbeat is late too, and rightly tells of it.
class Pauses {
 public:
  explicit Pauses(const std::string& url) : asking_([this, url] { ask(url); }) {}
  ~Pauses() {
    stopped_ = true;
    asking_.join();
  }
  Pauses(const Pauses&) = delete;
  Pauses& operator=(const Pauses&) = delete;

  /// Whether no answer took so long that a renewal might have been late.
  [[nodiscard]] bool none() const {
    return longest_.load() < (limits::kRenewalGapMax - limits::kHeartbeatInterval) / 2;
  }

 private:
  void ask(const std::string& url) {
    Session session(url);
    while (!stopped_) {
      const auto asked = base::BootClock::now();
      session.run("SELECT pg_sleep(0.02)");
      longest_ = std::max(longest_.load(), base::BootClock::now() - asked);
    }
  }

  std::atomic<bool> stopped_{false};
  std::atomic<base::BootClock::duration> longest_{base::BootClock::duration::zero()};
  std::thread asking_;
};

}  // namespace tesela::store
