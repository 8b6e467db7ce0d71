// What one server does about tables for all that share a database.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <chrono>

#include "server/base/loop.h"
#include "server/base/worker.h"
#include "server/directory/directory.h"
#include "server/store/duty_lease.h"
#include "server/store/life.h"
#include "server/store/ownership.h"
#include "server/store/store.h"
#include "server/sweeping/abandoned_tables.h"

namespace tesela::sweeping {

/// While this server has the lease of Duty::kSweep: loads the tables that play without clients
/// (directory::Directory::resume), those of servers that die from then on, and closes abandoned
/// tables. The first search for these is one interval after the lease was taken, so that players
/// can return.
///
/// `stop` gives the lease up, and returns when the step under way has ended: one table of a dead
/// server that is being loaded, or one that is being closed.
class Sweeper final : public base::Worker {
 public:
  struct Parts {
    base::Loop& loop;
    store::Store& store;
    store::Ownership& ownership;
    const store::Life& life;
    directory::Directory& directory;
    std::chrono::milliseconds in_play;  // AbandonedTables::Parts
    std::chrono::milliseconds waiting;  // likewise
  };

  explicit Sweeper(Parts parts);

  /// Whether this server has the lease, as of the last look: what else one server does for all goes
  /// by it. Any thread. For limits::kSweepInterval another server may have it too.
  [[nodiscard]] bool on_duty() const { return on_duty_.load(std::memory_order_relaxed); }

 private:
  boost::asio::awaitable<void> run() override;
  /// Whether this server has the duty.
  boost::asio::awaitable<bool> begin();
  boost::asio::awaitable<void> resume_orphans();
  boost::asio::awaitable<void> close_abandoned();

  Parts parts_;
  AbandonedTables abandoned_;
  const std::chrono::milliseconds search_interval_;
  std::chrono::steady_clock::time_point next_search_;
  store::DutyLease lease_;
  std::atomic<bool> on_duty_{false};
};

}  // namespace tesela::sweeping
