// Follows the changes of tables by other servers on the database, for watches of the lobby.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "server/base/loop.h"
#include "server/directory/lobby/table_feed.h"
#include "server/metrics/metrics.h"
#include "server/store/table_changes.h"

namespace tesela::directory {

/// Reads what has changed every limits::kChangesInterval, and soon after another server has said
/// that it changed tables, and publishes it (TableFeed). It follows the database, whatever becomes
/// of the server's life: also during a freeze watchers are told what is true. While nobody watches,
/// only the moment moves on until which changes were read.
///
/// Threading: `start` once, `stop` once, from any thread, while the loop runs.
class ChangeFollower {
 public:
  /// What it uses; outlives it.
  struct Parts {
    base::Loop& loop;
    store::TableChanges* changes;  // null: no other server uses the database
    TableFeed& feed;
    metrics::Metrics& metrics;
    /// Whether this server deletes old changes, for all.
    std::function<bool()> on_duty = [] { return false; };
  };

  explicit ChangeFollower(Parts parts);

  /// Follows until `stop`. The first read is a gap: who watched before it watches again.
  void start();
  /// Returns when the read under way has ended.
  boost::asio::awaitable<void> stop();

  /// One read. On the loop.
  boost::asio::awaitable<void> look();

 private:
  using Time = std::chrono::steady_clock::time_point;

  boost::asio::awaitable<void> run();
  boost::asio::awaitable<void> stop_here();
  boost::asio::awaitable<void> rest();
  boost::asio::awaitable<Expected<store::TableChangesRead>> read();
  boost::asio::awaitable<void> publish(std::vector<store::ChangedTable> tables);
  boost::asio::awaitable<void> trim();
  void hurry();

  const Parts parts_;
  std::optional<store::ChangesMoment> until_;  // everything before was read
  // The tables that the last read has told. A change of this server that came between the read and
  // its publication was told before what is older, and is told again.
  std::vector<TableId> told_;
  Time looked_{};   // the beginning of the last read
  Time due_{};      // when the next one begins
  Time reached_{};  // the last that has succeeded
  Time trim_at_{};  // the next deletion
  boost::asio::steady_timer pause_;
  boost::asio::steady_timer telling_pause_;  // not cut short by a change
  boost::asio::steady_timer ended_;          // cancelled when the coroutine has ended
  bool hurries_ = false;
  bool running_ = false;
  bool stopping_ = false;
};

}  // namespace tesela::directory
