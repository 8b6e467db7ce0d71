// The live tables of this process: makes them, finds them, loads them from the log when somebody
// comes, and lets them go when nobody has been there for a while.
#pragma once

#include <google/protobuf/any.pb.h>

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/lobby/table_feed.h"
#include "server/net/io_pool.h"
#include "server/ops/metrics.h"
#include "server/store/store.h"
#include "server/table/table.h"

namespace tesela::lobby {

/// Threading: `create` and `join` from anywhere; `open` on the table's own context
/// (IoPool::index_of).
class Directory {
 public:
  struct Parts {
    net::IoPool& io;
    store::EventLog& log;
    store::Store& store;
    TableFeed& feed;
    ops::Metrics& metrics;
    std::chrono::milliseconds table_idle;
    std::uint32_t frames_per_second_max;  // what tables tell their members; 0: no limit
  };

  explicit Directory(Parts parts);
  ~Directory();
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  /// Makes a table of `game` with `config` (empty: the game's defaults) and seats `owner` at it.
  /// Durable when it returns, and told to the feed. Errors: kInvalidArgument for an unknown game or
  /// a configuration that its rules refuse; kUnavailable while stopping, or when the store cannot
  /// write.
  boost::asio::awaitable<Expected<store::TableRow>> create(
      PlayerId owner, std::string game, std::optional<google::protobuf::Any> config);

  /// Seats a player at a table, on the first free seat when `seat` is not given. Durable when it
  /// returns, and told to the feed. Errors: those of `open`, kSeatTaken, kInvalidArgument for a
  /// seat that the table does not have.
  boost::asio::awaitable<Expected<store::TableRow>> join(TableId id, PlayerId player,
                                                         std::string name,
                                                         std::optional<Seat> seat);

  /// The live table, loaded from its log if it was not in memory. Errors: kNotFound, kUnavailable,
  /// kCorrupt.
  boost::asio::awaitable<Expected<std::shared_ptr<table::Table>>> open(TableId id);

  /// No table is made from now on. Any thread.
  void drain() { draining_.store(true, std::memory_order_relaxed); }
  /// Ends every table with Goodbye SERVER_RESTART, and returns when the last has ended. Nothing can
  /// be opened after. Once, from anywhere, while the pool runs.
  boost::asio::awaitable<void> close_all();
  /// Whether close_all has begun. Any thread.
  [[nodiscard]] bool closing() const { return closing_.load(std::memory_order_relaxed); }

 private:
  struct Shard;

  [[nodiscard]] Shard& shard_of(TableId id);
  [[nodiscard]] static table::Farewell server_stops();
  boost::asio::awaitable<Expected<store::TableRow>> join_here(TableId id, PlayerId player,
                                                              std::string name,
                                                              std::optional<Seat> seat);
  boost::asio::awaitable<Expected<std::shared_ptr<table::Table>>> load(Shard& shard, TableId id);
  void start(Shard& shard, std::shared_ptr<table::Table> table);
  boost::asio::awaitable<void> sweep(Shard& shard);
  boost::asio::awaitable<void> close_shard(Shard& shard);

  Parts parts_;
  std::vector<std::unique_ptr<Shard>> shards_;  // one a context, touched by its thread alone
  std::atomic<bool> draining_{false};
  std::atomic<bool> closing_{false};
};

}  // namespace tesela::lobby
