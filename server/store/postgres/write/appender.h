// Appends of all tables in batches: one statement, one round trip and one commit for each.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "engine/core/ids.h"
#include "server/base/loop.h"
#include "server/store/postgres/connection/connection_pool.h"
#include "server/store/postgres/connection/failure.h"
#include "server/store/postgres/connection/health.h"
#include "server/store/postgres/write/append_sql.h"
#include "server/store/reports.h"
#include "server/store/suspend.h"

namespace tesela::store::postgres {

/// An append and the call that waits for it.
struct PendingAppend {
  Appending what;
  base::Continuation caller;
  Resume<void> resume;
  Time until;
  int conflicts{};
  bool alone{};  // a batch that it was in was refused for a value of one of them
};

/// Called when this many appends were answered.
using OnAnswer = std::function<void(std::size_t)>;

/// The loop's thread.
class Appender {
 public:
  /// Everything outlives it. `pool` is its own.
  Appender(base::Loop& loop, ConnectionPool& pool, Health& health, OnCommit on_commit,
           OnAnswer on_answer);
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;

  void start();
  /// Resumes the call on its executor when the event is durable, or was refused. Above
  /// limits::kStoreQueueMax appends: kUnavailable.
  void submit(std::unique_ptr<PendingAppend> append);
  /// The number of appends that wait or are under way.
  [[nodiscard]] std::size_t unanswered() const { return waiting_.size() + under_way_; }
  /// From now on, appends are given up where no connection is left.
  void drain();
  /// Ends when everything was answered; nothing is submitted any more.
  void close();

 private:
  using Appends = std::vector<std::unique_ptr<PendingAppend>>;

  boost::asio::awaitable<void> write();
  boost::asio::awaitable<void> commit(Connection& connection, Appends batch);
  boost::asio::awaitable<void> send(Connection& connection, const Appends& batch);
  [[nodiscard]] bool should_send() const;
  Appends next_batch();
  /// Whether something is sent again that was refused.
  bool retry(Appends batch, const Failure& failure);
  void answer(Appends batch);
  /// Answers those whose time is over, or all.
  void give_up(bool all);
  boost::asio::awaitable<void> wait_for_change();
  void tell_change();

  base::Loop& loop_;
  ConnectionPool& pool_;
  Health& health_;
  OnCommit on_commit_;
  OnAnswer on_answer_;
  std::deque<std::unique_ptr<PendingAppend>> waiting_;
  std::unordered_set<TableId> tables_under_way_;
  std::size_t under_way_{0};
  boost::asio::steady_timer changed_;
  bool draining_{};
  bool closed_{};
};

}  // namespace tesela::store::postgres
