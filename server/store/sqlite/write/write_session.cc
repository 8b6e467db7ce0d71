#include "server/store/sqlite/write/write_session.h"

#include <utility>

#include "server/store/refusals.h"
#include "server/store/sqlite/database/diagnosis.h"

namespace tesela::store {
namespace {

sql::Violation::Of constraint_of(const StorageError& error) {
  switch (error.code()) {
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_ROWID:
      return sql::Violation::Of::kKey;
    case SQLITE_CONSTRAINT_UNIQUE:
      return sql::Violation::Of::kUniqueIndex;
    case SQLITE_CONSTRAINT_FOREIGNKEY:
      return sql::Violation::Of::kForeignKey;
    default:
      return sql::Violation::Of::kOther;
  }
}

}  // namespace

SqliteWriteSession::SqliteWriteSession(Connection& connection, const RecentEvents& recent,
                                       Heads& heads, std::vector<RecentEvents::Committed>& events)
    : connection_(connection),
      recent_(recent),
      heads_(heads),
      events_(events),
      statements_(connection),
      moves_(connection),
      head_(connection,
            "SELECT epoch, max(ifnull((SELECT max(version) FROM events WHERE table_id = ?1), 0),"
            " ifnull((SELECT events FROM archives WHERE table_id = ?1), 0))"
            " FROM tables WHERE id = ?1"),
      savepoint_(connection, "SAVEPOINT operation"),
      undo_(connection, "ROLLBACK TO operation"),
      release_(connection, "RELEASE operation") {}

void SqliteWriteSession::begin() {
  logs_.clear();
  finished_ = false;
  overwriting_.reset();
  savepoint_.run();
}

Expected<void> SqliteWriteSession::failed() {
  try {
    throw;
  } catch (const sql::DamagedRow&) {
    return damaged_database();
  } catch (const sql::Violation& violation) {
    if (violation.constraint() == sql::Violation::Of::kForeignKey) return no_such_player();
    return refuse(ErrorCode::kUnavailable, "This was not stored: it contradicts what is stored.");
  }
}

void SqliteWriteSession::end() {
  overwriting_.reset();
  if (!finished_) undo_.run();
  release_.run();
  if (!finished_) return;
  for (LogChange& log : logs_) {
    if (!log.head) {
      heads_.forget(log.table);
      continue;
    }
    if (log.record) {
      events_.push_back({log.table, Entry{log.head->last, std::move(*log.record)}});
    }
    heads_.change(log.table, *log.head);
  }
}

std::vector<sql::Rows> SqliteWriteSession::answer(const sql::Batch& batch) {
  std::vector<sql::Rows> answers;
  answers.reserve(batch.size());
  try {
    for (const sql::Query& query : batch.queries()) {
      answers.push_back(statements_.answer(query));
      moves_.count();
    }
  } catch (const StorageError& error) {
    moves_.forget();
    if (error.primary() != SQLITE_CONSTRAINT) throw;
    throw sql::Violation(constraint_of(error), error.what());
  }
  return answers;
}

boost::asio::awaitable<std::vector<sql::Rows>> SqliteWriteSession::run(sql::Batch batch) {
  co_return answer(batch);
}

boost::asio::awaitable<std::vector<sql::Rows>> SqliteWriteSession::finish(sql::Batch batch) {
  auto answers = answer(batch);
  finished_ = true;
  co_return answers;
}

boost::asio::awaitable<void> SqliteWriteSession::roll_back() {
  logs_.clear();
  undo_.run();
  co_return;
}

Expected<sql::Head> SqliteWriteSession::head_of(TableId table) {
  if (const auto head = heads_.find(table)) return *head;
  // A table that is not cached has no recent events: its last version is in `events`, or packed.
  std::optional<sql::Head> found;
  try {
    head_.bind(1, table).first_row(
        [&](sql::Row row) { found = sql::Head{row.id<Epoch>(0), row.id<Version>(1)}; });
  } catch (const StorageError& error) {
    // Of this table alone: the other writes of the transaction are stored.
    if (damaged(error)) return damaged_database();
    throw;
  }
  if (!found) return no_such_table();
  heads_.remember(table, *found);
  return *found;
}

boost::asio::awaitable<Expected<sql::Head>> SqliteWriteSession::lock_head(TableId table) {
  co_return head_of(table);
}

void SqliteWriteSession::add_log(sql::Batch& /*batch*/, TableId table,
                                 const std::optional<std::string>& first_record) {
  logs_.push_back({table, sql::Head{Epoch{1}, Version{first_record ? 1U : 0U}}, first_record});
}

void SqliteWriteSession::begin_log(sql::Batch& /*batch*/, TableId table, Epoch epoch,
                                   const std::string& record) {
  logs_.push_back({table, sql::Head{epoch, Version{1}}, record});
}

void SqliteWriteSession::drop_head(sql::Batch& /*batch*/, TableId table) {
  logs_.push_back({table, std::nullopt, std::nullopt});
}

}  // namespace tesela::store
