#include "tests/bench/fill/bulk_writer.h"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

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
      archives_(connection_) {
  connection_.run(
      "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON;"
      "PRAGMA cache_size = -1048576; PRAGMA temp_store = MEMORY; BEGIN;");
}

void BulkWriter::add(store::PlayerRow player) {
  store::Write write{.request = store::AddPlayer{std::move(player)}, .caller = {}, .resume = {}};
  apply(write);
}

void BulkWriter::add(store::TableRow table, store::GameOutcome outcome,
                     const archive::PackedLog& log) {
  const TableId id = table.id;
  add(std::move(table), std::move(outcome));
  const auto added = archives_.add(id, log, Version{log.events});
  if (!added) throw std::runtime_error(added.error().message);
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
  store::Write write{.request = store::AddTable{std::move(table), std::nullopt, std::move(outcome)},
                     .caller = {},
                     .resume = {}};
  apply(write);
  if (!closed) return;
  store::Write close{.request = store::ChangeTable{std::move(*closed), std::nullopt, {}},
                     .caller = {},
                     .resume = {}};
  apply(close);
}

void BulkWriter::apply(store::Write& write) {
  const auto done = statements_.apply(write);
  if (!done) throw std::runtime_error(done.error().message);
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
