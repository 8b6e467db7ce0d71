#include "server/store/sql/removals.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "server/base/friend_limits.h"
#include "server/base/scale_limits.h"
#include "server/store/sql/friends.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

// The lock of a head keeps appends out, and that of a table all that refers to it. What another
// transaction holds is left out.
constexpr Text kLockTables{
    "SELECT t.id FROM tables t JOIN heads h ON h.table_id = t.id WHERE t.id = ANY($1)"
    " AND t.state IN (2, 4) AND NOT EXISTS (SELECT 1 FROM scores s WHERE s.table_id = t.id)"
    " ORDER BY t.id FOR UPDATE OF t, h SKIP LOCKED",
    "SELECT t.id FROM tables t WHERE t.id = ANY($1)"
    " AND t.state IN (2, 4) AND NOT EXISTS (SELECT 1 FROM scores s WHERE s.table_id = t.id)"};
// Those that another transaction holds: on SQLite one writes at a time.
constexpr Text kAreLeft{
    "SELECT 1 FROM tables t WHERE t.id = ANY($1) AND t.id <> ALL($2) AND t.state IN (2, 4)"
    " AND NOT EXISTS (SELECT 1 FROM scores s WHERE s.table_id = t.id) LIMIT 1"};
// What is deleted with the row of a table: few rows each. The table itself is the last, because the
// others refer to it.
constexpr std::array kRowsOfTables{
    Text{"DELETE FROM archives WHERE table_id = ANY($1)"},
    Text{"DELETE FROM last_matches WHERE table_id = ANY($1)"},
    Text{"DELETE FROM seats WHERE table_id = ANY($1)"},
    Text{"DELETE FROM snapshots WHERE table_id = ANY($1)"},
    Text{"INSERT INTO removed_tables (id) SELECT id FROM tables WHERE id = ANY($1)"},
    Text{"DELETE FROM tables WHERE id = ANY($1)"},
};
// A transaction that inserts a reference to a player locks the row for its key: from here on there
// is none.
constexpr Text kLockGuests{
    "SELECT id FROM players WHERE id = ANY($1) AND kind = 1 AND seen_ms < $2 ORDER BY id"
    " FOR UPDATE SKIP LOCKED"};
constexpr Text kUnusedGuests{
    "SELECT id FROM players p WHERE id = ANY($1)"
    " AND NOT EXISTS (SELECT 1 FROM tables WHERE owner_id = p.id)"
    " AND NOT EXISTS (SELECT 1 FROM seats WHERE player_id = p.id)"
    " AND NOT EXISTS (SELECT 1 FROM ratings WHERE player_id = p.id)"
    " AND NOT EXISTS (SELECT 1 FROM scores WHERE player_id = p.id)"};
constexpr Text kRemoveLastMatches{"DELETE FROM last_matches WHERE player_id = ANY($1)"};
constexpr Text kRemoveGuests{"DELETE FROM players WHERE id = ANY($1)"};
constexpr Text kKeepGuest{
    "UPDATE players SET seen_ms = greatest(seen_ms, $2) WHERE id IN"
    " (SELECT id FROM players WHERE id = $1 AND kind = 1 FOR NO KEY UPDATE SKIP LOCKED)"};
constexpr Text kSetLookedUntil{
    "UPDATE retention SET at_ms = $1, id = $2 WHERE list = 'tables' AND (at_ms, id) < ($1, $2)"};

constexpr Text kRemoveReports{
    "DELETE FROM reports WHERE id IN (SELECT id FROM reports WHERE closed_ms < $1"
    " ORDER BY closed_ms, id LIMIT $2)"};
constexpr Text kUnclosedReports{
    "SELECT created_ms FROM reports WHERE closed_ms IS NULL AND created_ms > 0"
    " ORDER BY created_ms, id LIMIT $1"};

constexpr Text kNextRemoved{
    "SELECT id FROM removed_tables ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"};
// From the last version on, so that what is left is a prefix.
constexpr Text kRemoveEvents{
    "DELETE FROM events WHERE table_id = $1 AND version > coalesce((SELECT version FROM events"
    " WHERE table_id = $1 ORDER BY version DESC LIMIT 1 OFFSET $2), 0)"};
constexpr Text kPurged{"DELETE FROM removed_tables WHERE id = $1"};

/// Deletes those tables that nobody holds. Sets `tables` and `postponed`.
awaitable<void> remove_tables(WriteSession& session, const std::vector<TableId>& tables,
                              Removed& removed) {
  // The compaction would write their events behind the deleting.
  std::vector<TableId> asked;
  for (const TableId table : tables) {
    if (!session.has_recent_events(table)) asked.push_back(table);
  }
  removed.postponed = asked.size() < tables.size();
  if (asked.empty()) co_return;
  const auto found = co_await session.run(Query(kLockTables).ids(asked));
  const auto locked = found.ids<TableId>();
  Batch batch;
  for (const Text& rows : kRowsOfTables) batch.add(rows).ids(locked);
  for (const TableId table : locked) session.drop_head(batch, table);
  if (session.dialect() == Dialect::kPostgres) batch.add(kAreLeft).ids(asked).ids(locked);
  const auto answers = co_await session.run(std::move(batch));
  if (session.dialect() == Dialect::kPostgres) removed.postponed = !answers.back().empty();
  removed.tables = locked.size();
}

/// Deletes those guests whom nothing names, and keeps the others. Sets `guests`.
awaitable<void> remove_guests(WriteSession& session, const Removal& removal, Removed& removed) {
  const auto found =
      co_await session.run(Query(kLockGuests).ids(removal.guests).number(removal.silent_since_ms));
  const auto answer = co_await session.run(Query(kUnusedGuests).ids(found.ids<PlayerId>()));
  const auto gone = answer.ids<PlayerId>();
  Batch batch;
  batch.add(kRemoveLastMatches).ids(gone);
  batch.add(kRemoveGuests).ids(gone);
  for (const KeptGuest& guest : removal.kept)
    batch.add(kKeepGuest).id(guest.id).number(guest.seen_ms);
  for (const PlayerId guest : removal.guests) {
    if (std::ranges::find(gone, guest) == gone.end()) {
      batch.add(kKeepGuest).id(guest).number(removal.now_ms);
    }
  }
  static_cast<void>(co_await session.run(std::move(batch)));
  removed.guests = gone.size();
}

}  // namespace

awaitable<Expected<Removed>> remove_rows(WriteSession& session, const Removal& removal) {
  Removed removed;
  co_await remove_tables(session, removal.tables, removed);
  if (!removal.guests.empty() || !removal.kept.empty()) {
    co_await remove_guests(session, removal, removed);
  }
  Batch batch;
  delete_challenges(batch, removal.now_ms);
  batch.add(kRemoveReports)
      .number(removal.reports_closed_before_ms)
      .count(limits::kRemovedReportsAtOnce);
  batch.add(kUnclosedReports).count(limits::kOpenReportsCounted);
  if (removal.looked_until && !removed.postponed) {
    batch.add(kSetLookedUntil).number(removal.looked_until->ended_ms).id(removal.looked_until->id);
  }
  const auto answers = co_await session.finish(std::move(batch));
  removed.challenges = answers[0].changed();
  removed.reports = answers[1].changed();
  removed.open_reports = answers[2].size();
  if (!answers[2].empty()) removed.first_open_report_ms = answers[2][0].number(0);
  removed.more = removed.challenges == limits::kRemovedChallengesAtOnce ||
                 removed.reports == limits::kRemovedReportsAtOnce;
  co_return removed;
}

awaitable<Expected<Removed>> remove_events(WriteSession& session) {
  Removed removed{.more = true};
  for (std::size_t tables = 0; tables < limits::kRemovedTablesAtOnce; ++tables) {
    const auto found = co_await session.run(Query(kNextRemoved));
    removed.more = !found.empty();
    const std::size_t left = limits::kRemovedEventsAtOnce - removed.events;
    if (!removed.more) break;
    const auto table = found[0].id<TableId>(0);
    const auto rows = co_await session.run(Query(kRemoveEvents).id(table).count(left));
    removed.events += rows.changed();
    if (rows.changed() == left) break;
    static_cast<void>(co_await session.run(Query(kPurged).id(table)));
  }
  static_cast<void>(co_await session.finish());
  co_return removed;
}

}  // namespace tesela::store::sql
