#include "server/store/postgres/write/writes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "server/base/postgres_limits.h"
#include "server/store/postgres/connection/failure.h"
#include "server/store/postgres/connection/pipeline.h"
#include "server/store/postgres/write/board_writes.h"
#include "server/store/postgres/write/leases.h"
#include "server/store/postgres/write/table_rows.h"
#include "server/store/refusals.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

constexpr const char* kEnd =
    "UPDATE tables SET state = 2, result = $2, ended_ms = $3 WHERE id = $1";
constexpr const char* kEndSeats = "UPDATE seats SET state = 2 WHERE table_id = $1";
constexpr const char* kAddPlayer =
    "INSERT INTO players (id, display_name, created_ms, kind, identity, seen_ms)"
    " VALUES ($1, $2, $3, $4, $5, $3)";
constexpr const char* kIsPlayer =
    "SELECT 1 FROM players WHERE id = $1 AND display_name = $2 AND created_ms = $3 AND kind = $4"
    " AND identity = $5";
constexpr const char* kSeePlayer =
    "WITH seen AS (UPDATE players SET seen_ms = greatest(seen_ms, $2)"
    "  WHERE id = $1 AND seen_ms <= $3) SELECT 1 FROM players WHERE id = $1";
constexpr const char* kIsTable =
    "SELECT 1 FROM tables WHERE id = $1 AND owner_id = $2 AND created_ms = $3 AND seed = $4";
// Changes nothing, but its commit waits for the standby, and so for all commits before it.
constexpr const char* kWaitForStandby = "UPDATE tesela_schema SET version = version";
constexpr const char* kLockHead = "SELECT epoch, version FROM heads WHERE table_id = $1 FOR UPDATE";
constexpr const char* kFirstEvent =
    "SELECT epoch, record FROM events WHERE table_id = $1 AND version = 1";
constexpr const char* kStoredEnding =
    "SELECT state, coalesce(result, ''), coalesce(ended_ms, 0) FROM tables WHERE id = $1";
constexpr const char* kBeginHead = "UPDATE heads SET version = 1 WHERE table_id = $1";
constexpr const char* kChangeTable =
    "UPDATE tables SET state = $2, assisted = $3, result = $4, ended_ms = $5 WHERE id = $1";
constexpr const char* kEmptySeats = "DELETE FROM seats WHERE table_id = $1";
constexpr const char* kMatchAgain =
    "UPDATE last_matches m SET table_id = $3 FROM unnest($1::bigint[], $2::bigint[])"
    " AS before (player_id, table_id)"
    " WHERE m.player_id = before.player_id AND m.table_id = before.table_id";
constexpr const char* kMatchFirst =
    "INSERT INTO last_matches (player_id, table_id) SELECT unnest($1::bigint[]), $2::bigint"
    " ON CONFLICT DO NOTHING";

/// Whether an earlier try was committed: then the question has a row. It is as durable as an
/// acknowledged commit when this returns.
awaitable<bool> is_done(Attempt& attempt, Pipeline question) {
  if (!attempt.again()) co_return false;
  question.add(kWaitForStandby);
  const auto results = co_await attempt.run(std::move(question));
  co_return results.front().rows() > 0;
}

/// Counts the outcome of a game that is over before its first move, and commits.
awaitable<void> finish(Attempt& attempt, const TableRow& table, const GameOutcome& outcome) {
  if (table.state == TableState::kOver) {
    co_await count_and_commit(attempt, outcome, table.id, table.ending->ended_ms);
  } else {
    co_await attempt.commit();
  }
}

std::unexpected<Error> refused_table(const Failure& failure) {
  if (failure.is_foreign_key()) return no_such_player();
  return failure.constraint() == "daily_tries" ? already_tried() : table_taken();
}

/// Whether an earlier try has stored the table.
awaitable<bool> is_stored(Attempt& attempt, const TableRow& table) {
  Pipeline question;
  question.add(kIsTable).id(table.id).id(table.owner).number(table.created_ms).bytes(table.seed);
  co_return co_await is_done(attempt, std::move(question));
}

awaitable<Expected<void>> insert_table(Attempt& attempt, const TableWrite& added) {
  Pipeline pipeline;
  pipeline.add(kBegin);
  add_new_table(pipeline, added.table, added.first_record);
  const auto results = co_await attempt.run(std::move(pipeline));
  if (results.back().changed() != added.table.seats.size()) {
    co_await attempt.roll_back();
    co_return no_such_player();
  }
  co_await finish(attempt, added.table, added.outcome);
  co_return Expected<void>{};
}

/// What an earlier try of a change has stored.
struct Stored {
  bool all{};
  /// The ending, and what it counts for. The seats may be older: those of a game that is over can
  /// change.
  bool ending{};
};

/// From the rows of kFirstEvent and kStoredEnding. A game that is over may be packed: then its
/// first event is not there, but its ending came with it.
Stored stored_by(const TableWrite& changed, const Result& first, const Result& ending) {
  const TableRow& table = changed.table;
  const bool has_begun = changed.first_record && first.rows() == 1 &&
                         first.id<Epoch>(0, 0) == table.epoch &&
                         first.bytes(0, 1) == *changed.first_record;
  const bool has_ended = table.ending && ending.rows() == 1 &&
                         ending.number(0, 0) == static_cast<std::int64_t>(table.state) &&
                         ending.bytes(0, 1) == table.ending->result &&
                         ending.number(0, 2) == table.ending->ended_ms;
  return {.all = has_begun || (has_ended && changed.first_record), .ending = has_ended};
}

/// Whether the change may be made, or was made by an earlier try: then it is in `stored`.
awaitable<Expected<void>> may_change(Attempt& attempt, const TableWrite& changed, Stored& stored) {
  const TableRow& table = changed.table;
  Pipeline pipeline;
  pipeline.add(kBegin);
  pipeline.add(kLockHead).id(table.id);
  pipeline.add(kFirstEvent).id(table.id);
  pipeline.add(kStoredEnding).id(table.id);
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& head = results[1];
  if (head.rows() == 0) co_return no_such_table();
  if (attempt.again()) stored = stored_by(changed, results[2], results[3]);
  if (stored.all) co_return Expected<void>{};
  if (head.id<Epoch>(0, 0) != table.epoch) co_return another_owner();
  if (changed.first_record && head.number(0, 1) != 0) co_return not_the_next_version();
  co_return Expected<void>{};
}

awaitable<Expected<void>> replace_table(Attempt& attempt, const TableWrite& changed) {
  Stored stored;
  const auto allowed = co_await may_change(attempt, changed, stored);
  if (!allowed || stored.all) {
    Pipeline end;
    end.add(kRollBack);
    if (stored.all) end.add(kWaitForStandby);
    static_cast<void>(co_await attempt.run(std::move(end)));
    co_return allowed;
  }
  const TableRow& table = changed.table;
  Pipeline pipeline;
  Query& row = pipeline.add(kChangeTable).id(table.id);
  row.number(static_cast<std::int64_t>(table.state)).flag(table.assisted);
  add_ending(row, table);
  pipeline.add(kEmptySeats).id(table.id);
  if (changed.first_record) {
    pipeline.add(kBeginHead).id(table.id);
    pipeline.add(kAddFirstEvent).id(table.id).id(table.epoch).bytes(*changed.first_record);
  }
  add_seats(pipeline, table);
  const auto results = co_await attempt.run(std::move(pipeline));
  if (results.back().changed() != table.seats.size()) {
    co_await attempt.roll_back();
    co_return no_such_player();
  }
  if (stored.ending) {
    co_await attempt.commit();
  } else {
    co_await finish(attempt, table, changed.outcome);
  }
  co_return Expected<void>{};
}

/// After the rows of the table, which last matches refer to.
void match_players(Pipeline& pipeline, const MatchedTable& made) {
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> again;
  std::vector<std::int64_t> before;
  for (const MatchedPlayer& each : made.players) {
    (each.last_match ? again : first).push_back(static_cast<std::int64_t>(each.player.value));
    if (each.last_match) before.push_back(static_cast<std::int64_t>(each.last_match->value));
  }
  pipeline.add(kMatchAgain).numbers(again).numbers(before).id(made.table.id);
  pipeline.add(kMatchFirst).numbers(first).id(made.table.id);
}

/// In an open transaction.
awaitable<Expected<void>> insert_matches(Attempt& attempt, std::span<const MatchedTable> tables) {
  Pipeline pipeline;
  std::vector<std::size_t> ends;  // of the statements of each table
  for (const MatchedTable& made : tables) {
    add_new_table(pipeline, made.table, made.first_record);
    match_players(pipeline, made);
    ends.push_back(pipeline.size());
  }
  const auto results = co_await attempt.run(std::move(pipeline));
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const auto of_table = std::span(results).first(ends[i]).last(3);
    if (of_table[0].changed() != tables[i].table.seats.size()) co_return no_such_player();
    if (of_table[1].changed() + of_table[2].changed() != tables[i].players.size()) {
      co_return matched_meanwhile();
    }
  }
  co_return Expected<void>{};
}

awaitable<Expected<void>> insert_matches_under(Attempt& attempt, Epoch lease,
                                               std::span<const MatchedTable> tables) {
  const bool held = co_await begin_under_lease(attempt, Duty::kMatch, lease);
  if (!held) co_return not_the_matcher();
  while (!tables.empty()) {
    const auto some = tables.first(std::min(tables.size(), limits::kMatchesAtOnce));
    auto inserted = co_await insert_matches(attempt, some);
    if (!inserted) co_return inserted;
    tables = tables.subspan(some.size());
  }
  co_return Expected<void>{};
}

/// The outcomes of all games that are over before their first move, as one.
awaitable<void> finish_matches(Attempt& attempt, const std::vector<MatchedTable>& tables) {
  for (const MatchedTable& made : tables) {
    if (made.table.state != TableState::kOver) continue;
    co_await count(attempt, made.outcome, made.table.id, made.table.ending->ended_ms);
  }
  co_await attempt.commit();
}

}  // namespace

awaitable<Expected<void>> end_game(Attempt& attempt, Appending& ending) {
  Append& append = ending.append;
  ending.again = attempt.again();
  const std::array<Appending*, 1> only{&ending};
  Pipeline pipeline;
  pipeline.add(kBegin);
  add_appends(pipeline, only);
  const auto appended = co_await attempt.run(std::move(pipeline));
  if (appended[1].rows() == 0) {
    Pipeline questions;
    questions.add(kRollBack);
    add_questions(questions, only);
    const auto answers = co_await attempt.run(std::move(questions));
    judge(answers[1], answers[2], only);
    co_return ending.outcome;
  }
  Pipeline rows;
  rows.add(kEnd).id(append.table).bytes(append.ending->result).number(append.ending->ended_ms);
  rows.add(kEndSeats).id(append.table);
  static_cast<void>(co_await attempt.run(std::move(rows)));
  co_await count_and_commit(attempt, append.outcome, append.table, append.ending->ended_ms);
  co_return Expected<void>{};
}

awaitable<Expected<void>> add_player(Attempt& attempt, const PlayerRow& player) {
  const auto bind = [&player](Query& query) {
    query.id(player.id)
        .bytes(player.display_name)
        .number(player.created_ms)
        .number(static_cast<std::int64_t>(player.kind))
        .bytes(player.identity);
  };
  std::optional<Failure> failure;
  try {
    Pipeline pipeline;
    bind(pipeline.add(kAddPlayer));
    static_cast<void>(co_await attempt.run(std::move(pipeline)));
    co_return Expected<void>{};
  } catch (const Failure& failed) {
    failure.emplace(failed);
  }
  if (!failure->is_constraint()) throw Failure(*failure);
  Pipeline question;
  bind(question.add(kIsPlayer));
  const bool done = co_await is_done(attempt, std::move(question));
  if (done) co_return Expected<void>{};
  co_return refuse(ErrorCode::kInternal, "This player's id is taken.");
}

awaitable<Expected<void>> see_player(Attempt& attempt, PlayerId player, std::int64_t at_ms,
                                     std::int64_t known_since_ms) {
  Pipeline pipeline;
  pipeline.add(kSeePlayer).id(player).number(at_ms).number(known_since_ms);
  const auto results = co_await attempt.run(std::move(pipeline));
  if (results.front().rows() == 0) co_return no_such_player();
  co_return Expected<void>{};
}

awaitable<Expected<void>> add_table(Attempt& attempt, const TableWrite& added) {
  std::optional<Failure> failure;
  try {
    co_return co_await insert_table(attempt, added);
  } catch (const Failure& failed) {
    failure.emplace(failed);
  }
  if (!failure->is_constraint() || failure->is_conflict()) throw Failure(*failure);
  co_await attempt.roll_back();
  const bool done = co_await is_stored(attempt, added.table);
  if (done) co_return Expected<void>{};
  co_return refused_table(*failure);
}

awaitable<Expected<void>> change_table(Attempt& attempt, const TableWrite& changed) {
  std::optional<Failure> failure;
  try {
    co_return co_await replace_table(attempt, changed);
  } catch (const Failure& failed) {
    failure.emplace(failed);
  }
  if (!failure->is_constraint() || failure->is_conflict()) throw Failure(*failure);
  co_await attempt.roll_back();
  co_return refused_table(*failure);
}

awaitable<Expected<void>> make_tables(Attempt& attempt, const std::vector<MatchedTable>& tables,
                                      Epoch lease) {
  if (tables.empty()) co_return Expected<void>{};
  std::optional<Failure> failure;
  Expected<void> made;
  try {
    made = co_await insert_matches_under(attempt, lease, tables);
    if (made) {
      co_await finish_matches(attempt, tables);
      co_return made;
    }
  } catch (const Failure& failed) {
    failure.emplace(failed);
  }
  if (failure && (!failure->is_constraint() || failure->is_conflict())) throw Failure(*failure);
  co_await attempt.roll_back();
  const bool done = co_await is_stored(attempt, tables.front().table);
  if (done) co_return Expected<void>{};
  if (failure) co_return refused_table(*failure);
  co_return made;
}

}  // namespace tesela::store::postgres
