#include "tests/bench/fill/bulk_writer.h"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "server/base/loop.h"
#include "server/store/sql/players.h"
#include "server/store/sql/table_writes.h"
#include "server/store/sqlite/database/data_folder.h"
#include "server/store/sqlite/sqlite_store.h"
#include "server/store/sqlite/write/write.h"

namespace tesela::fill {
namespace {

/// Writes of one transaction.
constexpr std::size_t kTransaction = 20'000;

/// A database with the server's schema.
std::filesystem::path created_in(const std::filesystem::path& folder) {
  auto store = store::SqliteStore::open({.folder = folder});
  if (!store) throw std::runtime_error(store.error().message);
  return folder / store::kDatabaseFile;
}

}  // namespace

BulkWriter::BulkWriter(const std::filesystem::path& folder)
    : connection_(created_in(folder), store::Connection::Access::kReadWrite),
      statements_(connection_, recent_),
      events_(connection_, "events"),
      add_archive_(connection_,
                   "INSERT INTO archives (table_id, format, events, bytes, hash, data)"
                   " VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
      set_packed_(connection_, "UPDATE tables SET log_place = ?2 WHERE id = ?1") {
  connection_.run(
      "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON;"
      "PRAGMA cache_size = -1048576; PRAGMA temp_store = MEMORY; BEGIN;");
}

void BulkWriter::add(store::PlayerRow player) {
  apply([&player](store::sql::WriteSession& session) {
    return store::sql::add_player(session, player);
  });
}

void BulkWriter::add(store::TableRow table, store::GameOutcome outcome,
                     const archive::PackedLog& log) {
  const TableId id = table.id;
  add(std::move(table), std::move(outcome));
  add_archive_.bind(1, id)
      .bind(2, static_cast<std::int64_t>(log.format))
      .bind(3, static_cast<std::int64_t>(log.events))
      .bind(4, static_cast<std::int64_t>(log.bytes))
      .bind_blob(5, log.hash)
      .bind_blob(6, log.data)
      .run();
  set_packed_.bind(1, id).bind(2, static_cast<std::int64_t>(store::LogPlace::kPacked)).run();
}

void BulkWriter::add(store::TableRow table, store::GameOutcome outcome,
                     const archive::RecordList& log) {
  const TableId id = table.id;
  add(std::move(table), std::move(outcome));
  events_.insert(log.size(),
                 [&](std::size_t i) { return store::EventRows::Row{id, Version{i + 1}, log[i]}; });
}

void BulkWriter::add(store::TableRow table, store::GameOutcome outcome) {
  // A table is never added closed: it was in play.
  std::optional<store::TableRow> closed;
  if (table.state == store::TableState::kClosed) {
    closed = table;
    table.state = store::TableState::kInPlay;
    table.ending.reset();
  }
  const store::sql::TableWrite added{std::move(table), std::nullopt, std::move(outcome)};
  apply([&added](store::sql::WriteSession& session) {
    return store::sql::add_table(session, added);
  });
  if (!closed) return;
  const store::sql::TableWrite end{std::move(*closed), std::nullopt, {}};
  apply(
      [&end](store::sql::WriteSession& session) { return store::sql::change_table(session, end); });
}

template <class Operate>
void BulkWriter::apply(Operate operate) {
  std::optional<Expected<void>> done;
  store::Write write{.request = store::Operation{[&](store::sql::WriteSession& session) {
                       return base::keep_result(operate(session), done);
                     }}};
  const auto applied = statements_.apply(write);
  if (!applied) throw std::runtime_error(applied.error().message);
  if (!*done) throw std::runtime_error(done->error().message);
  if (++uncommitted_ == kTransaction) commit();
}

void BulkWriter::commit() {
  statements_.finish();
  connection_.run("COMMIT; BEGIN;");
  statements_.commit();
  uncommitted_ = 0;
}

void BulkWriter::finish() {
  commit();
  connection_.run("COMMIT; PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE);");
}

}  // namespace tesela::fill
