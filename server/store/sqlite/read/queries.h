// All reads of the store, on a connection of their own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/loop.h"
#include "server/store/event_log.h"
#include "server/store/sql/session/log_page.h"
#include "server/store/sql/session/session.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/database/session.h"
#include "server/store/sqlite/database/store_health.h"

namespace tesela::store {

/// One thread. Each function reads a consistent state of the database. Errors as in EventLog and
/// Store: kUnavailable when reading fails, kCorrupt when the data is invalid.
class Queries {
 public:
  /// All but the path outlive it. Throws StorageError.
  Queries(const std::filesystem::path& database, const RecentEvents& recent, StoreHealth& health);
  Queries(const Queries&) = delete;
  Queries& operator=(const Queries&) = delete;

  /// As in EventReader.
  [[nodiscard]] Expected<std::vector<Entry>> events(TableId table, Version from, std::size_t max);
  [[nodiscard]] Expected<std::optional<Entry>> last_event(TableId table);
  /// An operation of store/sql: `operation(session)` is an awaitable<Expected<T>>.
  template <class T, class Operation>
  [[nodiscard]] Expected<T> read(Operation&& operation) {
    std::optional<Expected<T>> answer;
    const auto done =
        run([&](sql::Session& session) { return base::keep_result(operation(session), answer); });
    if (!done) return std::unexpected(done.error());
    return *std::move(answer);
  }
  /// The same, of `work(session)`, an awaitable<void>.
  template <class Work>
  [[nodiscard]] Expected<void> run(Work&& work) {
    return at_one_moment<void>([&]() -> Expected<void> {
      at_once_.run(work(session_));
      return {};
    });
  }

  /// The connection, for tests of query plans.
  [[nodiscard]] Connection& connection() { return connection_; }

 private:
  /// Runs `read` in one read transaction and converts what it throws to an Error.
  template <class T, class Read>
  Expected<T> at_one_moment(Read&& read) {
    Expected<T> result;
    try {
      connection_.run("BEGIN");
      result = read();
    } catch (const StorageError& error) {
      result = std::unexpected(failed(error));
    } catch (const sql::DamagedRow& row) {
      result = std::unexpected(failed(StorageError(kDamagedRow, row.what())));
    }
    try {
      if (connection_.in_transaction()) connection_.run("COMMIT");
    } catch (const StorageError& error) {
      result = std::unexpected(failed(error));
    }
    return result;
  }
  Error failed(const StorageError& error);
  Expected<sql::StoredLog> read_place(TableId table);
  /// The version up to which there must be events outside of RecentEvents, or in them a moment
  /// after the commit: by the table's row, by its snapshots, and the last in `events`.
  Version end_of(TableId table);
  Expected<void> events_shown();

  const RecentEvents& recent_;
  StoreHealth& health_;
  Connection connection_;
  SqliteSession session_;
  AtOnce at_once_;
  Statement log_place_;
  Statement packed_;
  Statement events_;
  Statement last_event_;
  Statement end_;
};

}  // namespace tesela::store
