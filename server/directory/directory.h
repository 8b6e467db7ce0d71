// The live tables of this process: makes them, finds them, loads them from the log when somebody
// comes, and lets them go when nobody has been there for a while.
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
#include "server/base/io_pool.h"
#include "server/base/limits.h"
#include "server/directory/live_tables.h"
#include "server/directory/new_table.h"
#include "server/directory/table_feed.h"
#include "server/metrics/metrics.h"
#include "server/quota/admission_control.h"
#include "server/store/event_log.h"
#include "server/store/store.h"
#include "server/tables/table.h"

namespace tesela::directory {

/// Threading: `prepare`, `create`, `begin`, `rematch`, `apply`, `plays` and `resume` from
/// anywhere; `open` on the table's own context (IoPool::index_of).
class Directory {
 public:
  struct Parts {
    base::IoPool& io;
    store::EventLog& log;
    store::Store& store;
    TableFeed& feed;
    metrics::Metrics& metrics;
    bots::BotThreads& bots;
    bots::RemoteBots& remote_bots;
    std::chrono::milliseconds bot_pace;  // of tables that have none of their own
    // Where nobody is connected, at least.
    std::chrono::milliseconds bot_pace_alone{limits::kBotPaceAlone};
    bool rate_bots{};  // whether ranked games against bots alone count
    std::chrono::milliseconds table_idle;
    base::IoPool* executions{};           // where logs are executed again; none: on `io`
    std::uint32_t frames_per_second_max;  // what tables tell their members; 0: no limit
  };

  explicit Directory(Parts parts);
  ~Directory();
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  /// What `create` stores, for who stores it in another way and then calls `begin`. Errors: those
  /// of `create` that are not the store's.
  [[nodiscard]] Expected<PreparedTable> prepare(NewTable wanted) const;
  /// Tells the feed of a table that was stored now, and wakes the bots that play there. It takes
  /// these slots while it is live.
  boost::asio::awaitable<void> begin(store::TableRow row, TableSlots slots = {});
  /// What counts the live tables of players and addresses.
  [[nodiscard]] LiveTables& live_tables() { return live_; }

  /// Makes a table, seats its bots and its owner, and begins the game when that fills it. Durable
  /// when it returns, and told to the feed. Errors: kInvalidArgument for an unknown game, seat or
  /// strategy, what the game's rules refuse, or ranked for one; kSeatTaken for more bots than
  /// seats; kAlreadyTried; kNotFound when the owner is not known; kUnavailable while stopping, or
  /// when the store cannot write.
  boost::asio::awaitable<Expected<store::TableRow>> create(NewTable wanted);

  /// Makes the table of a rematch, whose id `wanted` has, or takes `seat` there when somebody else
  /// was quicker; those who are at the old table are told. Durable when it returns. Errors: those
  /// of `create` and `apply`.
  boost::asio::awaitable<Expected<store::TableRow>> rematch(TableId over, NewTable wanted,
                                                            tables::TakeSeat seat);

  /// Changes who sits at a table. Durable when it returns, and told to the feed. Errors: those of
  /// `open` and of tables::Table::apply.
  boost::asio::awaitable<Expected<store::TableRow>> apply(TableId id, tables::SeatCommand command,
                                                          quota::QuotaPtr from = nullptr);

  /// Whether a player has a seat at a table that no strategy plays in their place: false for who
  /// has left the game or given it up. Loads the table. From anywhere. Errors: those of `open`.
  boost::asio::awaitable<Expected<bool>> plays(TableId id, PlayerId player);

  /// Loads the tables at which bots were playing when the server stopped, and those where they are
  /// to come: nobody else may come to wake them. The newest limits::kResumedTablesMax of each kind.
  /// Once, at the start.
  boost::asio::awaitable<void> resume();

  /// Closes a table that is not in memory and at which nothing has happened since `since_ms` (Unix
  /// time in milliseconds). Whether it did; then the feed is told. From anywhere.
  boost::asio::awaitable<bool> close_silent(TableId id, std::int64_t since_ms);

  /// The live table, loaded from its log if it was not in memory: that is charged to `from`, whose
  /// address it is for (Act::kExecution). Errors: kNotFound, kUnavailable, kCorrupt,
  /// kResourceExhausted when too much was executed for the address.
  boost::asio::awaitable<Expected<std::shared_ptr<tables::Table>>> open(
      TableId id, quota::QuotaPtr from = nullptr);

  /// No table is made from now on. Any thread.
  void drain() { draining_.store(true, std::memory_order_relaxed); }
  /// Ends every table with Goodbye SERVER_RESTART, and returns when the last has ended. Nothing can
  /// be opened after. From anywhere, while the pool runs; a second call waits for the same end.
  boost::asio::awaitable<void> close_all();
  /// Whether close_all has begun. Any thread.
  [[nodiscard]] bool closing() const { return closing_.load(std::memory_order_relaxed); }

 private:
  friend class OperatorAccess;
  struct Shard;

  [[nodiscard]] Shard& shard_of(TableId id);
  [[nodiscard]] static tables::Goodbye server_stops();
  [[nodiscard]] Expected<void> check_offered(const NewTable& wanted) const;
  boost::asio::awaitable<Expected<store::TableRow>> apply_here(TableId id,
                                                               tables::SeatCommand command,
                                                               quota::QuotaPtr from);
  boost::asio::awaitable<Expected<bool>> plays_here(TableId id, PlayerId player);
  [[nodiscard]] replay::Aside aside() const;
  boost::asio::awaitable<void> offer_rematch(TableId over, TableId id);
  boost::asio::awaitable<bool> wake(TableId id);
  boost::asio::awaitable<void> resume(store::TableFilter filter);
  boost::asio::awaitable<bool> close_silent_here(TableId id, std::int64_t since_ms);
  /// Tells who listens of a table that has changed.
  void publish(const store::TableRow& row);
  boost::asio::awaitable<Expected<std::shared_ptr<tables::Table>>> load(Shard& shard, TableId id);
  void start(Shard& shard, std::shared_ptr<tables::Table> table);
  boost::asio::awaitable<void> sweep(Shard& shard);
  boost::asio::awaitable<void> close_shard(Shard& shard);

  Parts parts_;
  LiveTables live_;
  quota::TableQuotas quotas_;
  std::vector<std::unique_ptr<Shard>> shards_;  // one a context, touched by its thread alone
  std::atomic<bool> draining_{false};
  std::atomic<bool> closing_{false};
};

/// Takes from an address what it costs to read or execute a table's log from its beginning; none:
/// no limit holds. Errors: kResourceExhausted, and those of EventLog::last.
boost::asio::awaitable<Expected<void>> charge_execution(store::EventLog& log, TableId id,
                                                        quota::QuotaPtr from);

}  // namespace tesela::directory
