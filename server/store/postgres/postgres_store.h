// EventLog, TableRows, Store and what is beside them on a PostgreSQL database (FORMAT.md, "On
// PostgreSQL").
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/loop.h"
#include "server/store/event_log.h"
#include "server/store/key_fingerprint.h"
#include "server/store/nodes.h"
#include "server/store/offered_bots.h"
#include "server/store/ownership.h"
#include "server/store/postgres/board_counter.h"
#include "server/store/postgres/bot_offers.h"
#include "server/store/postgres/calls.h"
#include "server/store/postgres/change_reader.h"
#include "server/store/postgres/connection/health.h"
#include "server/store/postgres/connection/store_connections.h"
#include "server/store/postgres/log_reader.h"
#include "server/store/postgres/node_reader.h"
#include "server/store/postgres/open_calls.h"
#include "server/store/postgres/ownerships.h"
#include "server/store/postgres/snapshot_writer.h"
#include "server/store/postgres/write/appender.h"
#include "server/store/reports.h"
#include "server/store/sql/sql_store.h"
#include "server/store/table_changes.h"

namespace tesela::store {

/// Any thread; not close() and the destructor, which wait for the store's thread. The executor of a
/// call must exist until the call has resumed: close or destroy the store before the io_contexts.
/// While PostgreSQL cannot be reached, calls wait (Options::wait); then kUnavailable, or kInternal
/// for a write that was sent. A write whose answer was lost is sent again until it is answered.
class PostgresStore final : public EventLog, public sql::SqlStore {
 public:
  struct Options {
    std::string url;  // postgres://…, as libpq reads it
    std::chrono::milliseconds wait;
    std::vector<KeyFingerprint> shared_keys{};  // that all servers on the database must have
    bool reads_only{};     // the schema is not brought to this version, and boards are not counted
    OnCommit on_commit{};  // for metrics, as on_error
    OnError on_error{};
    OnHealthChange on_health_change{};  // for the log
  };

  /// Connects, and brings the schema to this version. Errors, with a sentence that says what to do:
  ///   kUnavailable  the database cannot be reached or written, or its schema is newer than this
  ///                 server; with `reads_only`: or another
  ///   kCorrupt      the database is another application's
  ///   kInvalidArgument  the clock, or a key, is not that of the other servers; or a pooler is in
  ///                     between that mixes the statements of sessions
  static Expected<std::unique_ptr<PostgresStore>> open(Options options);

  /// Closes.
  ~PostgresStore() override;
  PostgresStore(const PostgresStore&) = delete;
  PostgresStore& operator=(const PostgresStore&) = delete;

  /// Refuses further calls (kUnavailable), and finishes those that wait, or gives them up after
  /// limits::kPostgresCloseTimeMax. May be called again; not by two threads at once.
  void close();

  void begin_append(Append append, base::Continuation caller, Resume<void> resume) override;
  boost::asio::awaitable<Expected<std::vector<Entry>>> read(TableId table, Version from,
                                                            std::size_t max) override {
    return log_.read(table, from, max);
  }
  boost::asio::awaitable<Expected<std::optional<Entry>>> last(TableId table) override {
    return log_.last(table);
  }
  /// The same events on the connections of lists.
  [[nodiscard]] EventReader& history() { return history_; }
  /// Writes of snapshots that wait for a transaction of their own or its end.
  [[nodiscard]] std::size_t snapshots_waiting() const { return snapshots_.waiting(); }
  [[nodiscard]] Ownership& ownership() { return ownerships_; }
  [[nodiscard]] Nodes& nodes() { return nodes_; }
  [[nodiscard]] OfferedBots& offered_bots() { return bot_offers_; }
  [[nodiscard]] TableChanges& changes() { return changes_; }

  /// Whether PostgreSQL could be reached when it was last tried.
  [[nodiscard]] Expected<void> writable() const override { return health_.writable(); }

 private:
  explicit PostgresStore(Options options);
  /// Waits for the first connection and the schema.
  Expected<void> start();

  boost::asio::awaitable<std::optional<Error>> reads(sql::Lane lane, ReadWork work) override;
  boost::asio::awaitable<std::optional<Error>> writes(sql::Lane lane, WriteWork work) override;
  void write_aside(sql::Batch batch) override { snapshots_.write(std::move(batch)); }
  boost::asio::awaitable<Expected<void>> compact_events() override;
  boost::asio::awaitable<Expected<std::size_t>> give_back_pages() override;
  postgres::Calls& calls_of(sql::Lane lane);

  const Options options_;
  postgres::OpenCalls calls_;
  base::Loop loop_;
  postgres::Health health_;
  const std::int64_t writer_;
  postgres::StoreConnections connections_;
  const postgres::Calls::Parts call_parts_{loop_, calls_, health_, options_.wait};
  postgres::Calls write_calls_{call_parts_, connections_.writers(), postgres::Access::kWrites};
  postgres::Calls read_calls_{call_parts_, connections_.readers(), postgres::Access::kReads};
  postgres::Calls list_calls_{call_parts_, connections_.list_readers(), postgres::Access::kReads};
  postgres::Calls background_calls_{call_parts_, connections_.background_writers(),
                                    postgres::Access::kWrites};
  postgres::LogReader log_{read_calls_};
  postgres::LogReader history_{list_calls_};
  postgres::SnapshotWriter snapshots_{loop_, calls_, background_calls_};
  postgres::Ownerships ownerships_{read_calls_, write_calls_};
  postgres::NodeReader nodes_{list_calls_};
  postgres::BotOffers bot_offers_{list_calls_, write_calls_};
  postgres::ChangeReader changes_{list_calls_, background_calls_, health_, writer_};
  postgres::BoardCounter board_counter_{loop_, background_calls_};
  postgres::Appender appender_;
  std::thread thread_;  // the last: it uses everything above
};

}  // namespace tesela::store
