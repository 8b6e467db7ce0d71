// Follows the changes of tables by other servers on the database, for watches of the lobby.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "server/base/loop.h"
#include "server/base/worker.h"
#include "server/directory/lobby/table_feed.h"
#include "server/metrics/metrics.h"
#include "server/store/table_changes.h"

namespace tesela::directory {

/// Reads what has changed every limits::kChangesInterval, and soon after another server has said
/// that it changed tables, and publishes it (TableFeed). It follows the database, whatever becomes
/// of the server's life: also during a freeze watchers are told what is true. While nobody watches,
/// only the moment moves on until which changes were read. The first read is a gap: who watched
/// before it watches again. `stop` returns when the read under way has ended.
class ChangeFollower final : public base::Worker {
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

  /// One read. On the loop.
  boost::asio::awaitable<void> look();

 private:
  boost::asio::awaitable<void> run() override;
  boost::asio::awaitable<Expected<store::TableChangesRead>> read();
  boost::asio::awaitable<void> publish(std::vector<store::ChangedTable> tables);
  boost::asio::awaitable<void> trim();

  const Parts parts_;
  std::optional<store::ChangesMoment> until_;  // everything before was read
  // The tables that the last read has told. A change of this server that came between the read and
  // its publication was told before what is older, and is told again.
  std::vector<TableId> told_;
  Time reached_{};  // the last that has succeeded
  Time trim_at_{};  // the next deletion
};

}  // namespace tesela::directory
