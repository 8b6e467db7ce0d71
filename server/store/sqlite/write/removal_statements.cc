#include "server/store/sqlite/write/removal_statements.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "server/base/scale_limits.h"

namespace tesela::store {
namespace {

// What is deleted with the row of a table, in its transaction: few rows each, by table_id.
constexpr std::array kRowsOfTable{"archives", "last_matches", "seats", "snapshots"};
// What is deleted afterwards, a share with each step: any number of rows, by (table_id, version).
// Nothing reads them without the table's row.
constexpr const char* kManyRowsOfTable = "events";
constexpr std::int64_t kIncremental = 2;  // PRAGMA auto_vacuum

std::vector<Statement> deletions(Connection& connection) {
  std::vector<Statement> statements;
  statements.reserve(kRowsOfTable.size());
  for (const char* rows : kRowsOfTable) {
    statements.emplace_back(connection,
                            std::string("DELETE FROM ") + rows + " WHERE table_id = ?1");
  }
  return statements;
}

}  // namespace

RemovalStatements::RemovalStatements(Connection& connection, const RecentEvents& recent)
    : recent_(recent),
      rows_(deletions(connection)),
      table_(connection, "DELETE FROM tables WHERE id = ?1 AND state IN (2, 4)"),
      removed_(connection, "INSERT INTO removed_tables VALUES (?1)"),
      next_removed_(connection, "SELECT id FROM removed_tables LIMIT 1"),
      // From the last version on, so that what is left is a prefix.
      events_(connection, std::string("DELETE FROM ") + kManyRowsOfTable +
                              " WHERE table_id = ?1 AND version IN (SELECT version FROM " +
                              kManyRowsOfTable +
                              " WHERE table_id = ?1 ORDER BY version DESC LIMIT ?2)"),
      all_events_(connection,
                  std::string("DELETE FROM ") + kManyRowsOfTable + " WHERE table_id = ?1"),
      purged_(connection, "DELETE FROM removed_tables WHERE id = ?1"),
      last_match_(connection, "DELETE FROM last_matches WHERE player_id = ?1"),
      guest_(connection, "DELETE FROM players WHERE id = ?1 AND kind = 1 AND seen_ms < ?2"),
      keep_guest_(connection,
                  "UPDATE players SET seen_ms = max(seen_ms, ?2) WHERE id = ?1 AND kind = 1"),
      looked_(connection, "UPDATE retention SET at_ms = ?1, id = ?2 WHERE list = 'tables'"),
      unused_pages_(connection, "PRAGMA freelist_count"),
      give_back_(connection,
                 "PRAGMA incremental_vacuum(" + std::to_string(limits::kReturnedPagesAtOnce) + ")"),
      savepoint_(connection, "SAVEPOINT removal"),
      undo_(connection, "ROLLBACK TO removal"),
      release_(connection, "RELEASE removal"),
      gives_back_(connection.number("PRAGMA auto_vacuum") == kIncremental) {}

Removed RemovalStatements::remove(const Removal& removal, std::vector<TableId>& gone) {
  Removed removed;
  for (const TableId table : removal.tables) {
    // The compaction would write them behind the deleting.
    if (recent_.contains(table)) {
      removed.postponed = true;
    } else if (remove_table(table)) {
      ++removed.tables;
      gone.push_back(table);
    }
  }
  for (const KeptGuest& kept : removal.kept) {
    keep_guest_.bind(1, kept.id).bind(2, kept.seen_ms).run();
  }
  for (const PlayerId guest : removal.guests) {
    if (remove_guest(guest, removal.silent_since_ms)) {
      ++removed.guests;
    } else {
      keep_guest_.bind(1, guest).bind(2, removal.now_ms).run();
    }
  }
  if (removal.looked_until && !removed.postponed) {
    looked_.bind(1, removal.looked_until->ended_ms).bind(2, removal.looked_until->id).run();
  }
  remove_events(removed);
  if (!removed.more) give_back(removed);
  return removed;
}

void RemovalStatements::make_room_for(TableId table) {
  if (purged_.bind(1, table).run() > 0) all_events_.bind(1, table).run();
}

template <class Change>
bool RemovalStatements::done(Change change) {
  savepoint_.run();
  bool changed = false;
  try {
    changed = change();
  } catch (const StorageError& error) {
    if (error.primary() != SQLITE_CONSTRAINT) throw;
  }
  if (!changed) undo_.run();
  release_.run();
  return changed;
}

bool RemovalStatements::remove_table(TableId table) {
  return done([&] {
    for (Statement& rows : rows_) rows.bind(1, table).run();
    if (table_.bind(1, table).run() == 0) return false;
    removed_.bind(1, table).run();
    return true;
  });
}

bool RemovalStatements::remove_guest(PlayerId guest, std::int64_t silent_since_ms) {
  return done([&] {
    last_match_.bind(1, guest).run();
    return guest_.bind(1, guest).bind(2, silent_since_ms).run() > 0;
  });
}

void RemovalStatements::remove_events(Removed& removed) {
  while (removed.events < limits::kRemovedEventsAtOnce) {
    TableId table;
    const auto read = [&](const Statement& row) { table = row.id<TableId>(0); };
    if (!next_removed_.first_row(read)) return;
    const std::size_t left = limits::kRemovedEventsAtOnce - removed.events;
    const auto deleted = static_cast<std::size_t>(
        events_.bind(1, table).bind(2, static_cast<std::int64_t>(left)).run());
    removed.events += deleted;
    if (deleted < left) purged_.bind(1, table).run();
  }
  removed.more = true;
}

void RemovalStatements::give_back(Removed& removed) {
  if (!gives_back_) return;
  const auto unused = [this] {
    std::size_t pages = 0;
    unused_pages_.first_row(
        [&](const Statement& row) { pages = static_cast<std::size_t>(row.number(0)); });
    return pages;
  };
  const std::size_t before = unused();
  if (before < limits::kUnusedPagesKept + limits::kReturnedPagesAtOnce) return;
  give_back_.each_row([](const Statement&) {});
  const std::size_t after = unused();
  removed.pages = before - std::min(before, after);
  removed.more = removed.pages > 0;
}

}  // namespace tesela::store
