// An operation of store/sql in the writer's transaction, which it shares with others.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/sql/session/session.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/database/session.h"
#include "server/store/sqlite/write/heads.h"
#include "server/store/sqlite/write/line_moves.h"

namespace tesela::store {

/// The writer's thread alone. Each operation has a savepoint of its own. Functions throw
/// StorageError, which ends the transaction.
class SqliteWriteSession final : public sql::WriteSession {
 public:
  /// Everything outlives it. `events`: those of the transaction, which the writer inserts.
  SqliteWriteSession(Connection& connection, const RecentEvents& recent, Heads& heads,
                     std::vector<RecentEvents::Committed>& events);

  /// Runs `work(session)`, an awaitable<void>, and undoes it unless it has finished. Error: it has
  /// met a damaged row or violated a constraint, which is no trouble of the other operations.
  template <class Work>
  Expected<void> operate(Work&& work) {
    begin();
    Expected<void> done;
    try {
      at_once_.run(work(*this));
    } catch (...) {
      overwriting_.reset();
      done = failed();
    }
    end();
    return done;
  }
  [[nodiscard]] bool finished() const { return finished_; }
  /// Statements of no operation, which are not refused.
  void run_now(const sql::Batch& batch) { static_cast<void>(statements_.answer(batch)); }
  /// As lock_head.
  Expected<sql::Head> head_of(TableId table);

  boost::asio::awaitable<std::vector<sql::Rows>> run(sql::Batch batch) override;
  boost::asio::awaitable<std::vector<sql::Rows>> finish(sql::Batch batch) override;
  boost::asio::awaitable<void> roll_back() override;
  [[nodiscard]] sql::Dialect dialect() const override { return sql::Dialect::kSqlite; }
  void wait_for_events() override {}
  [[nodiscard]] bool has_recent_events(TableId table) const override {
    return recent_.contains(table);
  }
  [[nodiscard]] bool again() const override { return false; }
  boost::asio::awaitable<Expected<sql::Head>> lock_head(TableId table) override;
  void add_log(sql::Batch& batch, TableId table,
               const std::optional<std::string>& first_record) override;
  void begin_log(sql::Batch& batch, TableId table, Epoch epoch, const std::string& record) override;
  void drop_head(sql::Batch& batch, TableId table) override;
  void overwrite_deleted() override { overwriting_.emplace(connection_.handle()); }

 private:
  /// What becomes of the head and the events of a table when the operation has finished.
  struct LogChange {
    TableId table;
    std::optional<sql::Head> head;      // empty: it is deleted
    std::optional<std::string> record;  // of the version of the head
  };

  void begin();
  /// Of the exception that is being handled. Rethrows what ends the whole transaction.
  static Expected<void> failed();
  void end();
  std::vector<sql::Rows> answer(const sql::Batch& batch);

  Connection& connection_;
  const RecentEvents& recent_;
  Heads& heads_;
  std::vector<RecentEvents::Committed>& events_;
  SqliteStatements statements_;
  LineMoves moves_;
  AtOnce at_once_;
  Statement head_;
  Statement savepoint_;
  Statement undo_;
  Statement release_;
  std::vector<LogChange> logs_;
  bool finished_{};
  std::optional<OverwritingDeleted> overwriting_;
};

}  // namespace tesela::store
