// The live tables of this process: creates tables, loads them from the log when a client connects,
// and unloads them when they are idle.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/absence_limits.h"
#include "server/base/io_pool.h"
#include "server/base/limits.h"
#include "server/base/ownership_limits.h"
#include "server/base/scale_limits.h"
#include "server/base/store_limits.h"
#include "server/directory/lobby/live_tables.h"
#include "server/directory/lobby/new_table.h"
#include "server/directory/lobby/table_feed.h"
#include "server/directory/table_claims.h"
#include "server/metrics/metrics.h"
#include "server/quota/admission_control.h"
#include "server/replay/aside.h"
#include "server/replay/execution_queue.h"
#include "server/store/event_log.h"
#include "server/store/life.h"
#include "server/store/notices.h"
#include "server/store/ownership.h"
#include "server/store/snapshots.h"
#include "server/store/store.h"
#include "server/store/table_rows.h"
#include "server/tables/core/freeze.h"
#include "server/tables/table.h"

namespace tesela::directory {

class HandOver;
class TableLoader;

/// Threading: any thread, but `open` only on the table's context (IoPool::index_of).
class Directory {
 public:
  struct Parts {
    base::IoPool& io;
    store::EventLog& log;
    store::Snapshots& snapshots;
    store::TableRows& table_rows;
    store::Store& store;
    store::Ownership& ownership;
    const store::Life& life;
    TableFeed& feed;
    metrics::Metrics& metrics;
    bots::BotThreads& bots;
    bots::RemoteBots& remote_bots;
    std::chrono::milliseconds bot_pace;  // of tables whose options have none
    // The least pace at tables without connections.
    std::chrono::milliseconds bot_pace_alone{limits::kBotPaceAlone};
    // How long a player is away before others may claim the game.
    std::chrono::milliseconds claim_after{limits::kClaimAfter};
    // How long a full table waits for its players; 0: its game begins without them.
    std::chrono::milliseconds come_within{};
    bool rate_bots{};  // whether ranked games against bots alone count
    std::chrono::milliseconds table_idle;
    // How long a table stays that nobody uses, though it is asked for at another server.
    std::chrono::milliseconds unused_stay{limits::kUnusedStayTime};
    base::IoPool* executions{};  // executes logs; null: `io` does
    /// The events between two snapshots of a table, as in limits::kSnapshotEvents; 0: none.
    std::uint64_t snapshot_events{limits::kSnapshotEvents};
    std::uint32_t frames_per_second_max;  // for Welcome; 0: no limit
    store::NoticeSink* notices{};         // null: nobody is told while away
  };

  explicit Directory(Parts parts);
  ~Directory();
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  /// The rows that `create` would store, for a caller that stores them itself and then calls
  /// `begin`. Errors: those of `create` that are not the store's.
  [[nodiscard]] Expected<PreparedTable> prepare(NewTable wanted) const;
  /// Publishes a table that was just stored, and loads it if bots play there. The table holds
  /// `slots` while it is live.
  boost::asio::awaitable<void> begin(store::TableRow row, TableSlots slots = {});
  /// The threads that execute logs, and the queue in which loads wait too.
  [[nodiscard]] replay::Aside aside();
  /// Where everybody notes the tables whose logs are damaged.
  [[nodiscard]] replay::DamagedTables& damaged() { return damaged_; }
  /// Counts the live tables of players and addresses.
  [[nodiscard]] LiveTables& live_tables() { return live_; }

  /// Creates a table, seats its bots and its owner, and begins the game if that fills it. When it
  /// returns, the table is durable and published. Errors: kInvalidArgument for an unknown game,
  /// seat or strategy, a configuration that the rules refuse, or a ranked game for one; kSeatTaken
  /// for more bots than seats; kAlreadyTried for a second try at a daily game; kNotFound when the
  /// store does not have the owner; kUnavailable while stopping, or when the store cannot write.
  boost::asio::awaitable<Expected<store::TableRow>> create(NewTable wanted);

  /// Creates the table of a rematch of `over`, or takes `seat` there if another player has created
  /// it: with the slots of `wanted`. The members of the old table are told. Durable when it
  /// returns. Errors: those of `create` and `apply`.
  boost::asio::awaitable<Expected<store::TableRow>> rematch(TableId over, NewTable wanted,
                                                            tables::TakeSeat seat);

  /// Applies a command about seats, and loads the table for that. When it returns, the change is
  /// durable and published. A player who gets a seat by it holds `slots` while seated at the live
  /// table. Errors: those of `open` and of tables::Table::apply.
  boost::asio::awaitable<Expected<store::TableRow>> apply(TableId id, tables::SeatCommand command,
                                                          quota::QuotaPtr from = nullptr,
                                                          TableSlots slots = {});

  /// Whether a player has a seat at the table that no strategy plays for them: false for a player
  /// who has left the game or resigned. Loads the table, or executes its log where another server
  /// has it. Errors: those of `open`, but that one, and of replay::replay.
  boost::asio::awaitable<Expected<bool>> plays(TableId id, PlayerId player);

  /// A table's row as it is stored; the table is not loaded. Errors: those of TableRows::table.
  boost::asio::awaitable<Expected<store::TableRow>> stored(TableId id) {
    return parts_.table_rows.table(id);
  }

  /// Loads the tables at which bots play, and those where bots are to take seats, because no client
  /// may connect to load them: the newest limits::kResumedTablesMax of each kind, but those that
  /// other servers have. Ends soon after `stop_resuming`.
  boost::asio::awaitable<void> resume();
  /// The same of these tables.
  boost::asio::awaitable<void> resume(std::vector<TableId> tables);

  /// Closes and publishes a table that is not in memory and has no event since `since_ms` (Unix
  /// time in milliseconds). Whether it was closed.
  boost::asio::awaitable<bool> close_silent(TableId id, std::int64_t since_ms);

  /// The live table. It is loaded from its log if it is not in memory, which is charged to the
  /// quota `from` of the client's address (Act::kExecution). Tables for which a player waits are
  /// loaded before others (replay::ExecutionQueue): `player` is the one that waits. Errors:
  /// kNotFound, kUnavailable (also when another server has the table, or is to take it), kCorrupt,
  /// kResourceExhausted when that quota is used up.
  boost::asio::awaitable<Expected<std::shared_ptr<tables::Table>>> open(
      TableId id, quota::QuotaPtr from = nullptr, std::optional<PlayerId> player = std::nullopt);

  /// Whether the table is in memory and is not about to leave it. To be used on the table's context
  /// alone.
  [[nodiscard]] bool is_live(TableId id);

  /// The lease of the server's life may have been renewed: whatever is frozen goes on. Then the
  /// heads of the live tables are read: a table that is not this server's any more is dropped, as
  /// by drop_all.
  void thaw();
  /// The lease has been over for long: closes the connections at all tables without a word. The
  /// tables stay, until their owner is known. Without effect where the lease runs.
  void leave_clients();
  /// The server's life was declared dead: others may have its tables. Drops all tables and closes
  /// their connections, without a word, and returns when the store has answered what was under way.
  /// Then another life may begin.
  boost::asio::awaitable<void> drop_all();
  /// Whether connections at a table are frozen. To be used on the table's context alone.
  [[nodiscard]] tables::Freeze& freeze_of(TableId id);

  /// Ends `resume`.
  void stop_resuming() { resumes_.store(false, std::memory_order_relaxed); }
  /// The same, and refuses to create tables from now on.
  void drain() {
    stop_resuming();
    draining_.store(true, std::memory_order_relaxed);
  }
  void undrain() {
    resumes_.store(true, std::memory_order_relaxed);
    draining_.store(false, std::memory_order_relaxed);
  }
  [[nodiscard]] bool draining() const { return draining_.load(std::memory_order_relaxed); }
  /// How tables get to other servers.
  [[nodiscard]] HandOver& hand_over() { return *hand_over_; }
  /// Ends every table with Goodbye SERVER_RESTART, and returns when the last has ended. Then no
  /// table can be opened. While the pool runs; a second call waits for the same end.
  boost::asio::awaitable<void> close_all();
  /// Whether close_all has begun.
  [[nodiscard]] bool closing() const { return closing_.load(std::memory_order_relaxed); }

 private:
  friend class HandOver;
  friend class OperatorAccess;
  struct Shard;

  [[nodiscard]] Shard& shard_of(TableId id);
  [[nodiscard]] static tables::Goodbye server_stops();
  [[nodiscard]] Expected<void> check_offered(const NewTable& wanted) const;
  boost::asio::awaitable<Expected<store::TableRow>> apply_here(TableId id,
                                                               tables::SeatCommand command,
                                                               quota::QuotaPtr from,
                                                               TableSlots slots);
  boost::asio::awaitable<Expected<bool>> plays_here(TableId id, PlayerId player);
  boost::asio::awaitable<void> offer_rematch(TableId over, store::TableRow made);
  boost::asio::awaitable<bool> wake(TableId id);
  boost::asio::awaitable<void> resume(store::TableFilter filter);
  boost::asio::awaitable<bool> close_silent_here(TableId id, std::int64_t since_ms);
  /// Tells the subscribers of the feed that a table has changed.
  void publish(const store::TableRow& row);
  void hurry(Shard& shard, TableId id, std::optional<PlayerId> player);
  void start(Shard& shard, std::shared_ptr<tables::Table> table);
  boost::asio::awaitable<void> close_shard(Shard& shard);
  boost::asio::awaitable<void> drop_shard(Shard& shard);
  boost::asio::awaitable<void> check_heads(Shard& shard);

  Parts parts_;
  TableClaims claims_{parts_.ownership, parts_.life};
  LiveTables live_;
  quota::TableQuotas quotas_;
  replay::ExecutionQueue queue_{limits::kExecutionsAtOnce, limits::kExecutionsWaitingMax};
  replay::DamagedTables damaged_{parts_.metrics.damaged_tables()};
  std::unique_ptr<TableLoader> loader_;
  std::vector<std::unique_ptr<Shard>> shards_;  // one for each context, used by its thread alone
  std::unique_ptr<HandOver> hand_over_;
  std::atomic<bool> resumes_{true};
  std::atomic<bool> draining_{false};
  std::atomic<bool> closing_{false};
};

}  // namespace tesela::directory
