#include "server/store/sql/table_writes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "server/base/clock.h"
#include "server/base/postgres_limits.h"
#include "server/store/ownership.h"
#include "server/store/refusals.h"
#include "server/store/sql/boards.h"
#include "server/store/sql/session/idempotent.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

// The owner may be a guest who was merged. Waits for a merge under way.
constexpr Text kAddTable{
    "INSERT INTO tables (id, game, config, options, owner_id, invite, seed, state, assisted,"
    " seat_count, created_ms, daily, result, ended_ms, public)"
    " VALUES ($1, $2, $3, $4,"
    " coalesce((SELECT merged_into FROM players WHERE id = $5 FOR KEY SHARE), $5),"
    " $6, $7, $8, false, $9, $10, $11, $12, $13, $6::text = '')",
    "INSERT INTO tables (id, game, config, options, owner_id, invite, seed, state, assisted,"
    " seat_count, created_ms, daily, result, ended_ms, public, epoch, log_end)"
    " VALUES ($1, $2, $3, $4,"
    " coalesce((SELECT merged_into FROM players WHERE id = $5), $5),"
    " $6, $7, $8, false, $9, $10, $11, $12, $13, $6 = '', 1, $8 = 2)"};
// Inserts no row if the kind of the player contradicts the seat. Copies columns of the table. The
// seat of a guest who was merged is the account's, unless that sits there too ($8), or a guest who
// was merged into it before.
constexpr Text kAddSeat{
    "INSERT INTO seats (table_id, seat, player_id, strategy, contribution, contribution_state,"
    " game, public, state, created_ms)"
    " SELECT t.id, $2::bigint, CASE WHEN p.merged_into IS NULL OR p.merged_into = ANY($8)"
    " OR EXISTS (SELECT 1 FROM players o WHERE o.id = ANY($8)"
    "  AND o.merged_into = p.merged_into AND (o.erased_ms, o.id) < (p.erased_ms, p.id))"
    " THEN p.id ELSE p.merged_into END, $4::text, $5::bytea, $6::bigint, t.game, t.public, t.state,"
    " t.created_ms FROM tables t, players p"
    " WHERE t.id = $1 AND p.id = $3 AND (p.kind = 3) = $7 FOR KEY SHARE"};
// What is left of a deleted table of the same id: a rematch has the id that its game gives it.
// The order of locks is that of whoever deletes the events.
constexpr Text kLockRoom{"SELECT 1 FROM removed_tables WHERE id = $1 FOR UPDATE"};
constexpr Text kMakeRoom{
    "DELETE FROM events WHERE table_id = (SELECT id FROM removed_tables WHERE id = $1)"};
constexpr Text kRoomMade{"DELETE FROM removed_tables WHERE id = $1"};
constexpr Text kIsTable{
    "SELECT 1 FROM tables WHERE id = $1 AND created_ms = $3 AND seed = $4"
    " AND owner_id IN ($2, (SELECT merged_into FROM players WHERE id = $2))"};

constexpr Text kFirstEvent{"SELECT epoch, record FROM events WHERE table_id = $1 AND version = 1"};
constexpr Text kStoredEnding{
    "SELECT state, coalesce(result, ''), coalesce(ended_ms, 0) FROM tables WHERE id = $1"};
// On SQLite the row says how far the log of a game is that is over ($6).
constexpr Text kChangeTable{
    "UPDATE tables SET state = $2, assisted = $3, result = $4, ended_ms = $5 WHERE id = $1",
    "UPDATE tables SET state = $2, assisted = $3, result = $4, ended_ms = $5,"
    " log_end = iif($2 IN (2, 4), max(log_end, $6), 0) WHERE id = $1"};
constexpr Text kState{"SELECT state FROM tables WHERE id = $1"};
constexpr Text kEmptySeats{"DELETE FROM seats WHERE table_id = $1"};
constexpr Text kEnd{
    "UPDATE tables SET state = 2, result = $2, ended_ms = $3 WHERE id = $1",
    "UPDATE tables SET state = 2, result = $2, ended_ms = $3, log_end = $4 WHERE id = $1"};
constexpr Text kEndSeats{"UPDATE seats SET state = 2 WHERE table_id = $1"};

constexpr Text kMatchAgain{
    "UPDATE last_matches SET table_id = $2 WHERE player_id = $1 AND table_id = $3"};
constexpr Text kMatchFirst{
    "INSERT INTO last_matches (player_id, table_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"};
// Whoever takes the lease waits for the end of this transaction; this waits for whoever takes it,
// and then looks at the row again. Servers on SQLite have no leases.
constexpr Text kHoldLease{"SELECT 1 FROM leases WHERE duty = $1 AND epoch = $2 FOR SHARE"};

/// Adds the parameters result and ended_ms.
void add_ending(Query& query, const TableRow& table) {
  const bool is_over = table.state == TableState::kOver;
  const bool has_ended = is_over || table.state == TableState::kClosed;
  const std::int64_t ended_ms = table.ending ? table.ending->ended_ms : 0;
  const std::string_view result = table.ending ? std::string_view{table.ending->result} : "";
  static_cast<void>(is_over ? query.bytes(result) : query.null());
  static_cast<void>(has_ended ? query.number(ended_ms) : query.null());
}

/// One statement a seat.
void add_seats(Batch& batch, const TableRow& table) {
  std::vector<PlayerId> seated;
  seated.reserve(table.seats.size());
  for (const SeatRow& seat : table.seats) seated.push_back(seat.player);
  for (const SeatRow& seat : table.seats) {
    batch.add(kAddSeat)
        .id(table.id)
        .id(seat.seat)
        .id(seat.player)
        .text(seat.strategy)
        .bytes(seat.contribution)
        .one_of(seat.contribution_state)
        .flag(seat.bot)
        .ids(seated);
  }
}

/// Whether each of these statements has changed a row.
bool all_changed(std::span<const Rows> answers) {
  return std::ranges::all_of(answers, [](const Rows& rows) { return rows.changed() == 1; });
}

/// Adds the statements that insert a table, its log and, last, its seats.
void add_new_table(WriteSession& session, Batch& batch, const TableRow& table,
                   const std::optional<std::string>& first_record) {
  Query& row = batch.add(kAddTable)
                   .id(table.id)
                   .text(table.game)
                   .bytes(table.config)
                   .bytes(table.options)
                   .id(table.owner)
                   .text(table.invite)
                   .bytes(table.seed)
                   .one_of(table.state)
                   .number(table.seat_count)
                   .number(table.created_ms);
  static_cast<void>(table.daily ? row.number(day_number(table.daily)) : row.null());
  add_ending(row, table);
  batch.add(kLockRoom).id(table.id);
  batch.add(kMakeRoom).id(table.id);
  batch.add(kRoomMade).id(table.id);
  session.add_log(batch, table.id, first_record);
  add_seats(batch, table);
}

Query is_table(const TableRow& table) {
  return Query(kIsTable).id(table.id).id(table.owner).number(table.created_ms).bytes(table.seed);
}

/// Counts the outcome of a game that is over before its first move, and commits.
awaitable<void> finish(WriteSession& session, const TableRow& table, const GameOutcome& outcome) {
  if (table.state == TableState::kOver) {
    co_await count_and_finish(session, outcome, table.id, table.ending->ended_ms);
  } else {
    static_cast<void>(co_await session.finish());
  }
}

/// What an earlier try of a change has stored.
struct Stored {
  bool all{};
  /// The ending, and what it counts for. The seats may be older: those of a game that is over can
  /// change.
  bool ending{};
};

/// A game that is over may be packed: then its first event is not there, but its ending came with
/// it.
awaitable<Stored> stored_by(WriteSession& session, const TableWrite& changed) {
  if (!session.again()) co_return Stored{};
  const TableRow& table = changed.table;
  Batch questions;
  questions.add(kFirstEvent).id(table.id);
  questions.add(kStoredEnding).id(table.id);
  const auto answers = co_await session.run(std::move(questions));
  const Rows& first = answers[0];
  const Rows& ending = answers[1];
  const bool has_begun = changed.first_record && !first.empty() &&
                         first[0].id<Epoch>(0) == table.epoch &&
                         first[0].bytes(1) == *changed.first_record;
  const bool has_ended = table.ending && !ending.empty() &&
                         ending[0].number(0) == static_cast<std::int64_t>(table.state) &&
                         ending[0].bytes(1) == table.ending->result &&
                         ending[0].number(2) == table.ending->ended_ms;
  co_return Stored{.all = has_begun || (has_ended && changed.first_record), .ending = has_ended};
}

/// A game that is over counts no more when its table is closed, and again when that is undone.
awaitable<void> count_change(WriteSession& session, const TableRow& table) {
  if (!table.ending) co_return;
  Query look{kState};
  look.id(table.id);
  const auto found = co_await session.run(std::move(look));
  const auto before = found[0].one_of(0, TableState::kInPlay, TableState::kClosed);
  const bool is_over = table.state == TableState::kOver;
  if (before == (is_over ? TableState::kClosed : TableState::kOver)) {
    co_await change_back(session, table.game, table.id, is_over ? Counts::kAgain : Counts::kNoMore,
                         base::unix_ms());
  }
}

awaitable<Expected<void>> replace_table(WriteSession& session, const TableWrite& changed) {
  const TableRow& table = changed.table;
  const auto head = co_await session.lock_head(table.id);
  if (!head) co_return std::unexpected(head.error());
  const Stored stored = co_await stored_by(session, changed);
  if (stored.all) {
    co_await confirm(session);
    co_return Expected<void>{};
  }
  if (table.epoch != head->epoch) co_return another_owner();
  if (changed.first_record && head->last != Version{}) co_return not_the_next_version();
  co_await count_change(session, table);
  Batch batch;
  Query& row = batch.add(kChangeTable).id(table.id);
  row.one_of(table.state).flag(table.assisted);
  add_ending(row, table);
  if (session.dialect() == Dialect::kSqlite) row.id(changed.first_record ? Version{1} : head->last);
  batch.add(kEmptySeats).id(table.id);
  if (changed.first_record) {
    session.begin_log(batch, table.id, table.epoch, *changed.first_record);
  }
  add_seats(batch, table);
  const auto answers = co_await session.run(std::move(batch));
  if (!all_changed(std::span(answers).last(table.seats.size()))) co_return no_such_player();
  if (stored.ending) {
    static_cast<void>(co_await session.finish());
  } else {
    co_await finish(session, table, changed.outcome);
  }
  co_return Expected<void>{};
}

/// After the rows of the table, which last matches refer to.
void add_last_matches(Batch& batch, const MatchedTable& made) {
  for (const MatchedPlayer& each : made.players) {
    Query& match = batch.add(each.last_match ? kMatchAgain : kMatchFirst);
    match.id(each.player).id(made.table.id);
    if (each.last_match) match.id(*each.last_match);
  }
}

awaitable<Expected<void>> insert_matches(WriteSession& session,
                                         std::span<const MatchedTable> tables) {
  Batch batch;
  std::vector<std::size_t> ends;  // of the statements of each table
  for (const MatchedTable& made : tables) {
    add_new_table(session, batch, made.table, made.first_record);
    add_last_matches(batch, made);
    ends.push_back(batch.size());
  }
  const auto answers = co_await session.run(std::move(batch));
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::size_t seats = tables[i].table.seats.size();
    const std::size_t matches = tables[i].players.size();
    const auto of_table = std::span(answers).first(ends[i]).last(seats + matches);
    if (!all_changed(of_table.first(seats))) co_return no_such_player();
    if (!all_changed(of_table.last(matches))) co_return matched_meanwhile();
  }
  co_return Expected<void>{};
}

awaitable<bool> holds_lease(WriteSession& session, Epoch lease) {
  if (session.dialect() == Dialect::kSqlite) co_return true;
  const auto rows = co_await session.run(Query(kHoldLease).one_of(Duty::kMatch).id(lease));
  co_return !rows.empty();
}

awaitable<Expected<void>> insert_all_matches(WriteSession& session,
                                             std::span<const MatchedTable> tables, Epoch lease) {
  const bool held = co_await holds_lease(session, lease);
  if (!held) co_return not_the_matcher();
  for (auto left = tables; !left.empty();) {
    const auto some = left.first(std::min(left.size(), limits::kMatchesAtOnce));
    auto inserted = co_await insert_matches(session, some);
    if (!inserted) co_return inserted;
    left = left.subspan(some.size());
  }
  for (const MatchedTable& made : tables) {
    if (made.table.state != TableState::kOver) continue;
    co_await count(session, made.outcome, made.table.id, made.table.ending->ended_ms);
  }
  co_return co_await session.commit();
}

}  // namespace

/// Besides the keys, the only unique index of tables is that of daily tries.
std::unexpected<Error> refused_table(const Violation& violation) {
  switch (violation.constraint()) {
    case Violation::Of::kForeignKey:
      return no_such_player();
    case Violation::Of::kUniqueIndex:
      return already_tried();
    default:
      return table_taken();
  }
}

awaitable<Expected<void>> insert_table(WriteSession& session, const TableWrite& added) {
  Batch batch;
  add_new_table(session, batch, added.table, added.first_record);
  const auto answers = co_await session.run(std::move(batch));
  if (!all_changed(std::span(answers).last(added.table.seats.size()))) co_return no_such_player();
  co_await finish(session, added.table, added.outcome);
  co_return Expected<void>{};
}

awaitable<Expected<void>> add_table(WriteSession& session, const TableWrite& added) {
  auto insert = [&added](WriteSession& in) { return insert_table(in, added); };
  return idempotent(session, is_table(added.table), refused_table, insert);
}

awaitable<Expected<void>> change_table(WriteSession& session, const TableWrite& changed) {
  std::optional<Violation> violation;
  try {
    co_return co_await replace_table(session, changed);
  } catch (const Violation& violated) {
    violation.emplace(violated);
  }
  co_await session.roll_back();
  co_return refused_table(*violation);
}

awaitable<Expected<void>> make_tables(WriteSession& session,
                                      const std::vector<MatchedTable>& tables, Epoch lease) {
  if (tables.empty()) co_return Expected<void>{};
  auto insert = [&](WriteSession& in) { return insert_all_matches(in, tables, lease); };
  co_return co_await idempotent(session, is_table(tables.front().table), refused_table, insert);
}

awaitable<void> end_table(WriteSession& session, const Append& append) {
  Batch batch;
  Query& end = batch.add(kEnd).id(append.table);
  end.bytes(append.ending->result).number(append.ending->ended_ms);
  if (session.dialect() == Dialect::kSqlite) end.id(append.version);
  batch.add(kEndSeats).id(append.table);
  static_cast<void>(co_await session.run(std::move(batch)));
  co_await count_and_finish(session, append.outcome, append.table, append.ending->ended_ms);
}

}  // namespace tesela::store::sql
