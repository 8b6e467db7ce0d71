#include "server/store/postgres/write/archive_writes.h"

#include <cstdint>
#include <utility>

#include "server/base/store_limits.h"
#include "server/store/postgres/read/packed_logs.h"
#include "server/store/postgres/write/snapshot_writes.h"
#include "server/store/refusals.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

// Statements behind it see what was committed until it had the lock.
constexpr const char* kLockToArchive =
    "SELECT state IN (2, 4), log_place FROM tables WHERE id = $1 FOR NO KEY UPDATE";
constexpr const char* kStoredLog =
    "SELECT h.version, a.events, a.hash FROM heads h LEFT JOIN archives a"
    " ON a.table_id = h.table_id WHERE h.table_id = $1";
constexpr const char* kAddArchive =
    "INSERT INTO archives (table_id, format, events, bytes, hash, data)"
    " VALUES ($1, $2, $3, $4, $5, $6)";
constexpr const char* kSetLogPlace = "UPDATE tables SET log_place = $2 WHERE id = $1";
// From the end, so that what is left is always a prefix of the log.
constexpr const char* kDropShare =
    "WITH packed AS (SELECT events FROM archives WHERE table_id = $1),"
    " kept AS (SELECT greatest(coalesce(max(version), 0) - $2, 0) AS version FROM events"
    "  WHERE table_id = $1 AND version <= (SELECT events FROM packed)),"
    " dropped AS (DELETE FROM events e USING kept, packed WHERE e.table_id = $1"
    "  AND e.version > kept.version AND e.version <= packed.events)"
    " UPDATE tables SET log_place = CASE WHEN kept.version > 0 THEN 1 ELSE 2 END FROM kept"
    " WHERE id = $1";
// Changes nothing, but its commit waits for the standby, and so for all commits before it.
constexpr const char* kConfirmLogPlace = "UPDATE tables SET log_place = log_place WHERE id = $1";

std::unexpected<Error> not_to_pack() {
  return refuse(ErrorCode::kFenced, "This log is not to be packed, or not any more.");
}

/// Where the log is, under the lock.
struct Locked {
  bool has_ended{};
  LogPlace place{};
  Version last;          // of all events
  Version packed_until;  // 0: no packed log
  std::string hash{};    // of the packed log
};

awaitable<Expected<Locked>> lock(Attempt& attempt, TableId table) {
  Pipeline pipeline;
  pipeline.add(kBegin);
  pipeline.add(kLockToArchive).id(table);
  pipeline.add(kStoredLog).id(table);
  const auto results = co_await attempt.run(std::move(pipeline));
  if (results[1].rows() == 0 || results[2].rows() == 0) co_return no_such_table();
  Locked locked{.has_ended = results[1].flag(0, 0),
                .place = results[1].one_of(0, 1, LogPlace::kEvents, LogPlace::kStays),
                .last = results[2].id<Version>(0, 0),
                .packed_until = {}};
  if (!results[2].null(0, 1)) {
    locked.packed_until = results[2].id<Version>(0, 1);
    locked.hash = results[2].text(0, 2);
  }
  co_return locked;
}

/// Ends the transaction without a change. `done`: an earlier try has made the change.
awaitable<Expected<void>> end_unchanged(Attempt& attempt, TableId table, bool done) {
  Pipeline pipeline;
  pipeline.add(kRollBack);
  if (done) pipeline.add(kConfirmLogPlace).id(table);
  static_cast<void>(co_await attempt.run(std::move(pipeline)));
  if (done) co_return Expected<void>{};
  co_return not_to_pack();
}

void add_drop(Pipeline& pipeline, TableId table) {
  pipeline.add(kDropShare).id(table).number(static_cast<std::int64_t>(limits::kArchiveDropMax));
}

void add_archive(Pipeline& pipeline, TableId table,
                 const std::optional<archive::PackedLog>& packed) {
  if (!packed) {
    pipeline.add(kSetLogPlace).id(table).number(static_cast<std::int64_t>(LogPlace::kStays));
    return;
  }
  pipeline.add(kAddArchive)
      .id(table)
      .number(static_cast<std::int64_t>(packed->format))
      .number(static_cast<std::int64_t>(packed->events))
      .number(static_cast<std::int64_t>(packed->bytes))
      .bytes(packed->hash)
      .bytes(packed->data);
  add_drop(pipeline, table);
}

}  // namespace

awaitable<Expected<void>> archive(Attempt& attempt, TableId table,
                                  const std::optional<archive::PackedLog>& packed,
                                  std::uint64_t snapshots_apart) {
  const auto locked = co_await lock(attempt, table);
  if (!locked) {
    co_await attempt.roll_back();
    co_return std::unexpected(locked.error());
  }
  const bool is_unpacked = locked->has_ended && locked->place == LogPlace::kEvents;
  if (!is_unpacked || (packed && locked->last != Version{packed->events})) {
    const bool is_same =
        packed ? locked->packed_until == Version{packed->events} && locked->hash == packed->hash
               : locked->place == LogPlace::kStays;
    co_return co_await end_unchanged(attempt, table, attempt.again() && is_same);
  }
  Pipeline pipeline;
  add_archive(pipeline, table, packed);
  if (snapshots_apart != 0) {
    add_change(pipeline, ThinOutSnapshots{.table = table, .versions = snapshots_apart});
  }
  pipeline.add(kCommit);
  static_cast<void>(co_await attempt.run(std::move(pipeline)));
  co_return Expected<void>{};
}

awaitable<Expected<void>> drop_packed(Attempt& attempt, TableId table) {
  const auto locked = co_await lock(attempt, table);
  if (!locked) {
    co_await attempt.roll_back();
    co_return std::unexpected(locked.error());
  }
  if (locked->place != LogPlace::kBoth) {
    const bool is_done = attempt.again() && locked->place == LogPlace::kPacked;
    co_return co_await end_unchanged(attempt, table, is_done);
  }
  Pipeline pipeline;
  add_drop(pipeline, table);
  pipeline.add(kCommit);
  static_cast<void>(co_await attempt.run(std::move(pipeline)));
  co_return Expected<void>{};
}

}  // namespace tesela::store::postgres
