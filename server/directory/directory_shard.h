// The part of the Directory that belongs to one loop of the pool.
#pragma once

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/core/ids.h"
#include "server/base/limits.h"
#include "server/base/loop.h"
#include "server/directory/directory.h"
#include "server/directory/loading.h"
#include "server/store/life.h"
#include "server/tables/core/freeze.h"
#include "server/tables/table.h"

namespace tesela::directory {

/// The tables of one loop, used by its thread alone. An entry without a table is being loaded.
struct Directory::Shard {
  Shard(base::Loop& io, const store::Life& life)
      : loop(io),
        freeze(io, life),
        changed(io, std::chrono::steady_clock::time_point::max()),
        sweep_pause(io) {}

  base::Loop& loop;
  tables::Freeze freeze;
  std::unordered_map<TableId, std::shared_ptr<tables::Table>> tables;
  std::unordered_map<TableId, Loading> loading;  // by `open`
  boost::asio::steady_timer
      changed;  // cancelled when an entry changes, to wake the waiting coroutines
  boost::asio::steady_timer sweep_pause;
  bool sweeping = false;
  std::vector<std::shared_ptr<tables::Table>> handed_over;  // those not yet released
  bool releasing = false;
  std::size_t checking = 0;  // how many times the heads are being read
  std::uint64_t drops = 0;   // how often all tables were dropped

  /// Removes an entry, and wakes the waiting coroutines.
  void forget(TableId id) {
    tables.erase(id);
    changed.cancel();
  }
  /// The lease may have been renewed. Connections and timers first, so that the clocks of tables
  /// replace what these have started again. Whether a freeze is over.
  bool thaw() {
    if (!freeze.thaw()) return false;
    for (const auto& [id, table] : tables) {
      if (table) table->thaw();
    }
    return true;
  }
  /// Closes the connections at all tables, if the lease is over.
  void leave() {
    if (!freeze.on()) return;
    for (const auto& [id, table] : tables) {
      if (table) table->leave_clients();
    }
  }
  /// Ends tables that nobody has used for the time, and frees what the others need no more; returns
  /// when there is none left. So many at once as do not delay a move.
  boost::asio::awaitable<void> sweep(std::chrono::milliseconds table_idle) {
    using std::chrono::milliseconds;
    const std::chrono::microseconds round =
        std::clamp(table_idle / 4, milliseconds{10}, milliseconds{1000});
    std::size_t bucket = 0;
    while (!tables.empty()) {
      const auto parts = static_cast<std::int64_t>(tables.bucket_count() / kSweptAtOnce + 1);
      sweep_pause.expires_after(round / parts);
      co_await sweep_pause.async_wait(base::use_tuple);
      const std::size_t end = std::min(bucket + kSweptAtOnce, tables.bucket_count());
      const auto now = std::chrono::steady_clock::now();
      for (; bucket < end; ++bucket) sweep_bucket(bucket, now, table_idle);
      if (bucket < tables.bucket_count()) continue;
      bucket = 0;
      // An erase leaves the buckets: a round would go on through those of the most there ever were.
      if (tables.bucket_count() > kSweptAtOnce && tables.load_factor() < kLoadMin) tables.rehash(0);
    }
  }
  /// Whether the table handles commands.
  [[nodiscard]] bool is_live(TableId id) const {
    const auto found = tables.find(id);
    return found != tables.end() && found->second && !found->second->closing();
  }
  /// All that do.
  [[nodiscard]] std::vector<std::shared_ptr<tables::Table>> live() const {
    std::vector<std::shared_ptr<tables::Table>> found;
    for (const auto& [id, table] : tables) {
      if (table && !table->closing()) found.push_back(table);
    }
    return found;
  }
  boost::asio::awaitable<void> wait_for_change() { co_await changed.async_wait(base::use_tuple); }

 private:
  static constexpr std::size_t kSweptAtOnce = 128;  // buckets: about as many tables
  static constexpr float kLoadMin = 0.125;

  void sweep_bucket(std::size_t bucket, std::chrono::steady_clock::time_point now,
                    std::chrono::milliseconds table_idle) {
    for (auto entry = tables.begin(bucket); entry != tables.end(bucket); ++entry) {
      const auto& table = entry->second;
      if (!table) continue;
      table->drop_events_before(now - limits::kRecentEventTime);
      const auto since = table->idle_since();
      if (since && *since < now - table_idle) {
        table->close({.reason = codec::Reason::kServerRestart});
      }
    }
  }
};

}  // namespace tesela::directory
