#include "server/store/postgres/write/claims.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "server/store/postgres/connection/pipeline.h"
#include "server/store/refusals.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

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

}  // namespace

awaitable<Expected<Claimed>> claim(Attempt& attempt, TableId table, LifeId life) {
  Pipeline pipeline;
  pipeline.add(kLockClaimed).id(table);
  pipeline.add(kTakeTable).id(table).id(life);
  pipeline.add(kOwnerOf).id(table).id(life);
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& taken = results[1];
  const Result& owner = results[2];
  if (taken.rows() == 1) co_return Owned{taken.id<Epoch>(0, 0), taken.id<Version>(0, 1)};
  if (owner.rows() == 0) co_return no_such_table();
  if (!owner.flag(0, 2)) co_return declared_dead();
  Elsewhere elsewhere{owner.id<LifeId>(0, 0), owner.text(0, 1)};
  co_return std::move(elsewhere);
}

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
  Pipeline pipeline;
  pipeline.add(kReleaseTables).numbers(ids).numbers(epochs).numbers(lives).id(life);
  static_cast<void>(co_await attempt.run(std::move(pipeline)));
  co_return Expected<void>{};
}

awaitable<Expected<std::optional<Owner>>> owner(Attempt& attempt, TableId table) {
  Pipeline pipeline;
  pipeline.add(kLivingOwner).id(table);
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& rows = results.front();
  std::optional<Owner> found;
  if (rows.rows() == 1) found.emplace(Owner{rows.id<LifeId>(0, 0), rows.text(0, 1)});
  co_return found;
}

awaitable<Expected<std::vector<LifeId>>> living(Attempt& attempt,
                                                const std::vector<LifeId>& lives) {
  Pipeline pipeline;
  const std::vector<std::int64_t> numbers = numbers_of(lives);
  pipeline.add(kLiving).numbers(numbers);
  const auto results = co_await attempt.run(std::move(pipeline));
  co_return results.front().column<LifeId>();
}

awaitable<Expected<TableHeads>> heads(Attempt& attempt, const std::vector<TableId>& tables) {
  Pipeline pipeline;
  const std::vector<std::int64_t> numbers = numbers_of(tables);
  pipeline.add(kHeads).numbers(numbers);
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& rows = results.front();
  TableHeads found;
  found.reserve(static_cast<std::size_t>(rows.rows()));
  for (int row = 0; row < rows.rows(); ++row) {
    found.push_back({.table = rows.id<TableId>(row, 0),
                     .epoch = rows.id<Epoch>(row, 1),
                     .version = rows.id<Version>(row, 2)});
  }
  co_return found;
}

awaitable<Expected<std::vector<TableId>>> free_orphans(Attempt& attempt, std::size_t max) {
  Pipeline pipeline;
  const auto most = static_cast<std::int64_t>(max);
  pipeline.add(kFreeOrphans).number(most);
  pipeline.add(kChangeLeft).number(most).number(kNobodyStill).number(0);
  const auto results = co_await attempt.run(std::move(pipeline));
  auto freed = results[0].column<TableId>();
  std::ranges::copy(results[1].column<TableId>(), std::back_inserter(freed));
  if (freed.size() >= max) co_return freed;
  // Once for each time that all are looked for: between two looks clients have time to come back.
  Pipeline look;
  look.add(kChangeLeft).number(10 * most).number(kNobodyYet).number(kNobodyStill);
  static_cast<void>(co_await attempt.run(std::move(look)));
  co_return freed;
}

}  // namespace tesela::store::postgres
