#include "server/store/postgres/write/removal_writes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "server/base/scale_limits.h"
#include "server/store/postgres/connection/pipeline.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

// The lock of a head keeps appends out, and that of a table all that refers to it.
constexpr const char* kLockTables =
    "SELECT t.id FROM tables t JOIN heads h ON h.table_id = t.id WHERE t.id = ANY($1)"
    " AND t.state IN (2, 4) AND NOT EXISTS (SELECT 1 FROM scores s WHERE s.table_id = t.id)"
    " ORDER BY t.id FOR UPDATE OF t, h SKIP LOCKED";
// Those that another transaction holds.
constexpr const char* kAreLeft =
    "SELECT 1 FROM tables t WHERE t.id = ANY($1) AND t.id <> ALL($2) AND t.state IN (2, 4)"
    " AND NOT EXISTS (SELECT 1 FROM scores s WHERE s.table_id = t.id) LIMIT 1";
// What is deleted with the row of a table, by the ids of tables: few rows each. Last the table
// itself, to which the others refer.
constexpr std::array kRowsOfTables{
    "DELETE FROM archives WHERE table_id = ANY($1)",
    "DELETE FROM last_matches WHERE table_id = ANY($1)",
    "DELETE FROM seats WHERE table_id = ANY($1)",
    "DELETE FROM snapshots WHERE table_id = ANY($1)",
    "DELETE FROM heads WHERE table_id = ANY($1)",
    "DELETE FROM tables WHERE id = ANY($1)",
};
constexpr const char* kAddRemoved =
    "INSERT INTO removed_tables (id) SELECT * FROM unnest($1::bigint[])";
// A transaction that inserts a reference to a player locks the row for its key: from here on there
// is none.
constexpr const char* kLockGuests =
    "SELECT id FROM players WHERE id = ANY($1) AND kind = 1 AND seen_ms < $2 ORDER BY id"
    " FOR UPDATE SKIP LOCKED";
constexpr const char* kUnusedGuests =
    "SELECT id FROM players p WHERE id = ANY($1)"
    " AND NOT EXISTS (SELECT 1 FROM tables WHERE owner_id = p.id)"
    " AND NOT EXISTS (SELECT 1 FROM seats WHERE player_id = p.id)"
    " AND NOT EXISTS (SELECT 1 FROM ratings WHERE player_id = p.id)"
    " AND NOT EXISTS (SELECT 1 FROM scores WHERE player_id = p.id)";
constexpr const char* kRemoveLastMatches = "DELETE FROM last_matches WHERE player_id = ANY($1)";
constexpr const char* kRemoveGuests = "DELETE FROM players WHERE id = ANY($1)";
constexpr const char* kKeepGuests =
    "UPDATE players p SET seen_ms = greatest(p.seen_ms, k.seen_ms)"
    " FROM unnest($1::bigint[], $2::bigint[]) AS k(id, seen_ms) WHERE p.id = k.id AND p.id IN"
    " (SELECT id FROM players WHERE id = ANY($1) AND kind = 1 FOR NO KEY UPDATE SKIP LOCKED)";
constexpr const char* kLookedUntil =
    "UPDATE retention SET at_ms = $1, id = $2 WHERE list = 'tables' AND (at_ms, id) < ($1, $2)";

constexpr const char* kNextRemoved =
    "SELECT id FROM removed_tables ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED";
// From the last version on, so that what is left is a prefix.
constexpr const char* kRemoveEvents =
    "DELETE FROM events WHERE table_id = $1 AND version > coalesce((SELECT version FROM events"
    " WHERE table_id = $1 ORDER BY version DESC OFFSET $2 LIMIT 1), 0)";
constexpr const char* kPurged = "DELETE FROM removed_tables WHERE id = $1";

/// Deletes those tables that nobody holds. Sets `tables` and `postponed`.
awaitable<void> remove_tables(Attempt& attempt, const std::vector<TableId>& tables,
                              Removed& removed) {
  if (tables.empty()) co_return;
  const auto asked = numbers_of(tables);
  Pipeline look;
  look.add(kLockTables).numbers(asked);
  const auto found = co_await attempt.run(std::move(look));
  const auto locked = found.front().column<std::int64_t>();
  Pipeline pipeline;
  pipeline.add(kAreLeft).numbers(asked).numbers(locked);
  for (const char* rows : kRowsOfTables) pipeline.add(rows).numbers(locked);
  pipeline.add(kAddRemoved).numbers(locked);
  const auto results = co_await attempt.run(std::move(pipeline));
  removed.postponed = results.front().rows() > 0;
  removed.tables = locked.size();
}

/// Deletes those guests whom nothing names, and keeps the others. Sets `guests`.
awaitable<void> remove_guests(Attempt& attempt, const Removal& removal, Removed& removed) {
  const auto asked = numbers_of(removal.guests);
  Pipeline look;
  look.add(kLockGuests).numbers(asked).number(removal.silent_since_ms);
  const auto found = co_await attempt.run(std::move(look));
  Pipeline question;
  question.add(kUnusedGuests).numbers(found.front().column<std::int64_t>());
  const auto answer = co_await attempt.run(std::move(question));
  const auto gone = answer.front().column<std::int64_t>();
  std::vector<std::int64_t> kept;
  std::vector<std::int64_t> seen_ms;
  for (const KeptGuest& guest : removal.kept) {
    kept.push_back(static_cast<std::int64_t>(guest.id.value));
    seen_ms.push_back(guest.seen_ms);
  }
  for (const std::int64_t guest : asked) {
    if (std::ranges::find(gone, guest) != gone.end()) continue;
    kept.push_back(guest);
    seen_ms.push_back(removal.now_ms);
  }
  Pipeline pipeline;
  pipeline.add(kRemoveLastMatches).numbers(gone);
  pipeline.add(kRemoveGuests).numbers(gone);
  pipeline.add(kKeepGuests).numbers(kept).numbers(seen_ms);
  static_cast<void>(co_await attempt.run(std::move(pipeline)));
  removed.guests = gone.size();
}

awaitable<void> begin(Attempt& attempt) {
  Pipeline pipeline;
  pipeline.add(kBegin);
  static_cast<void>(co_await attempt.run(std::move(pipeline)));
}

}  // namespace

awaitable<Expected<Removed>> remove_rows(Attempt& attempt, const Removal& removal) {
  Removed removed;
  co_await begin(attempt);
  co_await remove_tables(attempt, removal.tables, removed);
  if (!removal.guests.empty() || !removal.kept.empty()) {
    co_await remove_guests(attempt, removal, removed);
  }
  Pipeline pipeline;
  if (removal.looked_until && !removed.postponed) {
    pipeline.add(kLookedUntil).number(removal.looked_until->ended_ms).id(removal.looked_until->id);
  }
  pipeline.add(kCommit);
  static_cast<void>(co_await attempt.run(std::move(pipeline)));
  co_return removed;
}

awaitable<Expected<Removed>> remove_events(Attempt& attempt) {
  Removed removed{.more = true};
  co_await begin(attempt);
  for (std::size_t tables = 0; tables < limits::kRemovedTablesAtOnce; ++tables) {
    Pipeline look;
    look.add(kNextRemoved);
    const auto found = co_await attempt.run(std::move(look));
    removed.more = found.front().rows() > 0;
    const std::size_t left = limits::kRemovedEventsAtOnce - removed.events;
    if (!removed.more) break;
    const auto table = found.front().id<TableId>(0, 0);
    Pipeline pipeline;
    pipeline.add(kRemoveEvents).id(table).number(static_cast<std::int64_t>(left));
    const auto results = co_await attempt.run(std::move(pipeline));
    removed.events += results.front().changed();
    if (results.front().changed() == left) break;
    Pipeline purge;
    purge.add(kPurged).id(table);
    static_cast<void>(co_await attempt.run(std::move(purge)));
  }
  co_await attempt.commit();
  co_return removed;
}

}  // namespace tesela::store::postgres
