// Packs the logs of games that are over.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "server/archive/record_list.h"
#include "server/base/loop.h"
#include "server/base/store_limits.h"
#include "server/base/worker.h"
#include "server/metrics/metrics.h"
#include "server/replay/damaged_tables.h"
#include "server/store/event_log.h"
#include "server/store/game_archives.h"

namespace tesela::ops {

/// Searches the store at intervals for logs of games that ended some time ago, and packs them one
/// after the other, at most limits::kArchiveEventsPerSecond. Each log is one transaction or, if it
/// is long, several small ones: after a crash the next search goes on. Stored snapshots of the game
/// that no replay needs go with it. The first search is one interval after the start. `stop`
/// returns when the log under way has been stored.
///
/// The loop's thread is busy for as long as it takes to pack a log: it has no other work.
class Archiver final : public base::Worker {
 public:
  struct Parts {
    base::Loop& loop;
    store::EventReader& log;
    store::GameArchives& archives;
    metrics::Metrics& metrics;
    replay::DamagedTables& damaged;
    std::chrono::milliseconds after;  // the end of a game
    /// As in directory::Directory::Parts: with the log, the snapshots are thinned out.
    std::uint64_t snapshot_events{limits::kSnapshotEvents};
    /// Whether this server packs, for all that share the database.
    std::function<bool()> on_duty = [] { return true; };
  };

  explicit Archiver(Parts parts);

  /// Packs logs that are due now, at most limits::kArchiveGamesAtOnce, and returns how many tasks
  /// it found. On the loop.
  boost::asio::awaitable<std::size_t> search();

 private:
  boost::asio::awaitable<void> run() override;
  boost::asio::awaitable<Expected<void>> work_on(store::ArchiveTask task);
  boost::asio::awaitable<Expected<bool>> pack(store::ArchiveTask task);
  static std::optional<archive::PackedLog> packed_log(TableId table,
                                                      const Expected<archive::RecordList>& records);
  [[nodiscard]] std::uint64_t snapshots_apart(const archive::RecordList& records) const;
  boost::asio::awaitable<Expected<archive::RecordList>> read(TableId table);
  boost::asio::awaitable<void> rest(std::chrono::steady_clock::time_point begin,
                                    std::uint64_t events);
  boost::asio::awaitable<void> count_backlog(std::int64_t ended_before_ms);

  Parts parts_;
  const std::chrono::milliseconds interval_;
  std::chrono::steady_clock::time_point counted_{};
};

}  // namespace tesela::ops
