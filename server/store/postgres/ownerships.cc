#include "server/store/postgres/ownerships.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "server/store/postgres/connection/binary.h"
#include "server/store/refusals.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

// Each function may run again after a try of which it is unknown whether it was committed.

// --- Claims of tables, and giving them up

// A statement of its own: the next one begins when the row is locked, and sees the lives of then.
// In one statement the lives would be those of before the wait, and the life that has claimed the
// table meanwhile might be missing among them.
constexpr const char* kLockClaimed = "SELECT 1 FROM heads WHERE table_id = $1 FOR UPDATE";

// The rows of lives that have been dead for long are deleted: who is not among them is dead.
constexpr const char* kTakeTable =
    "UPDATE heads h SET epoch = h.epoch + 1, life = $2 WHERE h.table_id = $1"
    " AND EXISTS (SELECT 1 FROM lives WHERE id = $2 AND state = 'alive')"
    " AND (h.life = $2 OR NOT EXISTS (SELECT 1 FROM lives WHERE id = h.life AND state = 'alive'))"
    " RETURNING h.epoch, h.version";

constexpr const char* kOwnerOf =
    "SELECT h.life, coalesce(owner.address, ''),"
    " EXISTS (SELECT 1 FROM lives WHERE id = $2 AND state = 'alive')"
    " FROM heads h LEFT JOIN lives owner ON owner.id = h.life WHERE h.table_id = $1";

constexpr const char* kLivingOwner =
    "SELECT l.id, l.address FROM heads h JOIN lives l ON l.id = h.life AND l.state = 'alive'"
    " WHERE h.table_id = $1";

constexpr const char* kLiving = "SELECT id FROM lives WHERE id = ANY($1) AND state = 'alive'";

constexpr const char* kHeads =
    "SELECT table_id, epoch, version FROM heads WHERE table_id = ANY($1)";

// The lives of tables that nobody has and that are to go on. They have no row, so that they are
// dead for whoever claims. Which clients come back is known when a table is seen to be left twice.
constexpr std::int64_t kNobodyYet = 1;
constexpr std::int64_t kNobodyStill = 2;

constexpr const char* kReleaseTables =
    "UPDATE heads h SET life = b.life"
    " FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS b(table_id, epoch, life)"
    " WHERE h.table_id = b.table_id AND h.epoch = b.epoch AND h.life = $4";

// Only lives that this statement sees as dead, which they stay. A life that has begun since, and
// has claimed such a table, is not among them. A table that is just being claimed is passed over.
constexpr const char* kFreeOrphans =
    "UPDATE heads h SET life = 0 FROM (SELECT o.table_id FROM lives l"
    "  JOIN heads o ON o.life = l.id AND o.life <> 0 WHERE l.state = 'dead'"
    "  LIMIT $1 FOR UPDATE OF o SKIP LOCKED) AS orphan"
    " WHERE h.table_id = orphan.table_id RETURNING h.table_id";
// "life <> 0" is the condition of the index heads_by_life.
constexpr const char* kChangeLeft =
    "UPDATE heads h SET life = $3 FROM (SELECT table_id FROM heads"
    "  WHERE life = $2 AND life <> 0 LIMIT $1 FOR UPDATE SKIP LOCKED) AS seen"
    " WHERE h.table_id = seen.table_id RETURNING h.table_id";

/// A second claim takes the life's own table, and gives a newer epoch.
awaitable<Expected<Claimed>> claim(Attempt& attempt, TableId table, LifeId life) {
  Batch batch;
  batch.add(kLockClaimed).id(table);
  batch.add(kTakeTable).id(table).id(life);
  batch.add(kOwnerOf).id(table).id(life);
  const auto results = co_await attempt.run(std::move(batch));
  const Rows& taken = results[1];
  const Rows& owner = results[2];
  if (taken.size() == 1) co_return Owned{taken[0].id<Epoch>(0), taken[0].id<Version>(1)};
  if (owner.empty()) co_return no_such_table();
  if (!owner[0].flag(2)) co_return declared_dead();
  Elsewhere elsewhere{owner[0].id<LifeId>(0), owner[0].text(1)};
  co_return std::move(elsewhere);
}

/// Whoever has claimed a table since the first try, also the same life, has a newer epoch.
awaitable<Expected<void>> release(Attempt& attempt, const std::vector<OwnedTable>& tables,
                                  LifeId life) {
  if (tables.empty()) co_return Expected<void>{};
  // In the order of ids, as appends lock them.
  std::vector<OwnedTable> sorted = tables;
  std::ranges::sort(sorted, {}, &OwnedTable::table);
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> epochs;
  std::vector<std::int64_t> lives;
  for (const OwnedTable& each : sorted) {
    ids.push_back(static_cast<std::int64_t>(each.table.value));
    epochs.push_back(static_cast<std::int64_t>(each.epoch.value));
    lives.push_back(each.goes_on ? kNobodyYet : 0);
  }
  Query change(kReleaseTables);
  change.numbers(ids).numbers(epochs).numbers(lives).id(life);
  static_cast<void>(co_await attempt.run(std::move(change)));
  co_return Expected<void>{};
}

std::optional<Owner> owner_of(const Rows& rows) {
  if (rows.empty()) return std::nullopt;
  return Owner{rows[0].id<LifeId>(0), rows[0].text(1)};
}

awaitable<Expected<std::optional<Owner>>> owner(Attempt& attempt, TableId table) {
  const auto rows = co_await attempt.run(Query(kLivingOwner).id(table));
  co_return owner_of(rows);
}

awaitable<Expected<std::vector<LifeId>>> living(Attempt& attempt,
                                                const std::vector<LifeId>& lives) {
  const auto rows = co_await attempt.run(Query(kLiving).ids(lives));
  co_return rows.ids<LifeId>();
}

TableHead head_of(Row row) {
  return {.table = row.id<TableId>(0), .epoch = row.id<Epoch>(1), .version = row.id<Version>(2)};
}

awaitable<Expected<TableHeads>> heads(Attempt& attempt, const std::vector<TableId>& tables) {
  const auto rows = co_await attempt.run(Query(kHeads).ids(tables));
  co_return rows.map(head_of);
}

/// Where an earlier try was committed, this one returns other tables: the first are not woken until
/// a client comes or another server takes Duty::kSweep.
awaitable<Expected<std::vector<TableId>>> free_orphans(Attempt& attempt, std::size_t max) {
  Batch batch;
  const auto most = static_cast<std::int64_t>(max);
  batch.add(kFreeOrphans).number(most);
  batch.add(kChangeLeft).number(most).number(kNobodyStill).number(0);
  const auto results = co_await attempt.run(std::move(batch));
  auto freed = results[0].ids<TableId>();
  std::ranges::copy(results[1].ids<TableId>(), std::back_inserter(freed));
  if (freed.size() >= max) co_return freed;
  // Once for each time that all are looked for: between two looks clients have time to come back.
  static_cast<void>(co_await attempt.run(
      Query(kChangeLeft).number(10 * most).number(kNobodyYet).number(kNobodyStill)));
  co_return freed;
}

// --- The leases of duties

// A statement of its own, as kLockClaimed: the next one sees the lives of when the row was locked.
constexpr const char* kLockLease = "SELECT 1 FROM leases WHERE duty = $1 FOR UPDATE";
constexpr const char* kTakeLease =
    "UPDATE leases l SET epoch = l.epoch + 1, life = $2 WHERE l.duty = $1"
    " AND EXISTS (SELECT 1 FROM lives WHERE id = $2 AND state = 'alive')"
    " AND (l.life = $2 OR NOT EXISTS (SELECT 1 FROM lives WHERE id = l.life AND state = 'alive'))"
    " RETURNING l.epoch";
constexpr const char* kIsAlive = "SELECT 1 FROM lives WHERE id = $1 AND state = 'alive'";
constexpr const char* kHolderOf =
    "SELECT l.id, l.address FROM leases d JOIN lives l ON l.id = d.life AND l.state = 'alive'"
    " WHERE d.duty = $1";
constexpr const char* kGiveUpLease =
    "UPDATE leases SET life = 0, epoch = epoch + 1"
    " WHERE duty = $1 AND epoch = $2 AND life = $3";

/// A second one takes the life's own lease, under a newer epoch.
awaitable<Expected<std::optional<Epoch>>> take_lease(Attempt& attempt, Duty duty, LifeId life) {
  Batch batch;
  batch.add(kLockLease).one_of(duty);
  batch.add(kTakeLease).one_of(duty).id(life);
  batch.add(kIsAlive).id(life);
  const auto results = co_await attempt.run(std::move(batch));
  const Rows& taken = results[1];
  if (taken.size() == 1) co_return std::optional<Epoch>{taken[0].id<Epoch>(0)};
  if (results[2].empty()) co_return declared_dead();
  co_return std::optional<Epoch>{};
}

awaitable<Expected<std::optional<Owner>>> holder(Attempt& attempt, Duty duty) {
  const auto rows = co_await attempt.run(Query(kHolderOf).one_of(duty));
  co_return owner_of(rows);
}

awaitable<Expected<void>> give_up_lease(Attempt& attempt, Duty duty, Epoch epoch, LifeId life) {
  static_cast<void>(co_await attempt.run(Query(kGiveUpLease).one_of(duty).id(epoch).id(life)));
  co_return Expected<void>{};
}

}  // namespace

awaitable<Expected<Claimed>> Ownerships::claim(TableId table, LifeId life) {
  return writes_.run<postgres::claim>(table, life);
}

awaitable<Expected<std::optional<Owner>>> Ownerships::owner(TableId table) {
  return reads_.run<postgres::owner>(table);
}

awaitable<Expected<std::vector<LifeId>>> Ownerships::living(std::vector<LifeId> lives) {
  return reads_.run<postgres::living>(std::move(lives));
}

awaitable<Expected<TableHeads>> Ownerships::heads(std::vector<TableId> tables) {
  return reads_.run<postgres::heads>(std::move(tables));
}

awaitable<Expected<void>> Ownerships::release(std::vector<OwnedTable> tables, LifeId life) {
  return writes_.run<postgres::release>(std::move(tables), life);
}

awaitable<Expected<std::vector<TableId>>> Ownerships::free_orphans(std::size_t max) {
  return writes_.run<postgres::free_orphans>(max);
}

awaitable<Expected<std::optional<Epoch>>> Ownerships::take_lease(Duty duty, LifeId life) {
  return writes_.run<postgres::take_lease>(duty, life);
}

awaitable<Expected<std::optional<Owner>>> Ownerships::holder(Duty duty) {
  return reads_.run<postgres::holder>(duty);
}

awaitable<Expected<void>> Ownerships::give_up_lease(Duty duty, Epoch epoch, LifeId life) {
  return writes_.run<postgres::give_up_lease>(duty, epoch, life);
}

}  // namespace tesela::store::postgres
