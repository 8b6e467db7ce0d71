#include "server/store/postgres/kept_data.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <utility>

#include "server/base/ownership_limits.h"
#include "server/store/postgres/read/board_queries.h"
#include "server/store/postgres/read/packed_logs.h"
#include "server/store/postgres/read/removal_queries.h"
#include "server/store/postgres/write/archive_writes.h"
#include "server/store/postgres/write/personal_writes.h"
#include "server/store/postgres/write/removal_writes.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;
using std::chrono::milliseconds;

namespace {

// --- What the store has of single players, but for their accounts: as the functions of queries.h

constexpr const char* kErased =
    "SELECT id FROM players WHERE erased_ms IS NOT NULL ORDER BY erased_ms DESC, id DESC LIMIT $1";
constexpr const char* kScores =
    "SELECT board_id, kind, game, config, day, points, at_ms, table_id"
    " FROM scores JOIN boards ON boards.id = board_id"
    " WHERE player_id = $1 AND board_id > $2 ORDER BY board_id LIMIT $3";

awaitable<Expected<std::vector<PlayerId>>> erased(Attempt& attempt, std::size_t max) {
  Pipeline pipeline;
  pipeline.add(kErased).number(static_cast<std::int64_t>(max));
  const auto results = co_await attempt.run(std::move(pipeline));
  co_return results.front().column<PlayerId>();
}

awaitable<Expected<std::vector<ScoreLine>>> scores(Attempt& attempt, PlayerId player,
                                                   std::uint64_t after, std::size_t max) {
  Pipeline pipeline;
  pipeline.add(kScores)
      .id(player)
      .number(static_cast<std::int64_t>(after))
      .number(static_cast<std::int64_t>(max));
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& rows = results.front();
  std::vector<ScoreLine> lines;
  lines.reserve(static_cast<std::size_t>(rows.rows()));
  for (int row = 0; row < rows.rows(); ++row) {
    lines.push_back({.id = static_cast<std::uint64_t>(rows.number(row, 0)),
                     .board = {.kind = rows.one_of(row, 1, BoardKind::kBest, BoardKind::kDaily),
                               .game = rows.text(row, 2),
                               .config = rows.text(row, 3),
                               .day = day_of_number(rows.number(row, 4))},
                     .points = rows.number(row, 5),
                     .at_ms = rows.number(row, 6),
                     .table = rows.id<TableId>(row, 7)});
  }
  co_return lines;
}

// --- The lives of servers, as operators look at them: as the functions of queries.h

// The end of the lease is the time of death, or earlier (lives.cc).
constexpr const char* kNodes =
    "SELECT id, address, state = 'alive',"
    " (1000 * extract(epoch FROM clock_timestamp() - lease_until))::bigint"
    " FROM lives ORDER BY state = 'alive' DESC,"
    " CASE WHEN state = 'alive' THEN address END, lease_until DESC, id LIMIT $1";
// By heads_by_life alone.
constexpr const char* kTablesOfLives =
    "SELECT life, count(*) FROM heads WHERE life <> 0 AND life = ANY($1) GROUP BY life";
constexpr const char* kDutiesOfLives = "SELECT life, duty FROM leases WHERE life = ANY($1)";

NodeRow row_of(const Result& lives, int row) {
  NodeRow node{
      .life = lives.id<LifeId>(row, 0), .address = lives.text(row, 1), .alive = lives.flag(row, 2)};
  const milliseconds since_end{lives.number(row, 3)};
  // Never below 0: the clock was read at another moment than that of the renewal.
  if (node.alive) {
    node.lease_age = std::max(limits::kLeaseTime + since_end, milliseconds{0});
  } else {
    node.dead_for = std::max(since_end, milliseconds{0});
  }
  node.tables = 0;
  return node;
}

awaitable<Expected<std::vector<NodeRow>>> nodes(Attempt& attempt, std::size_t max) {
  Pipeline lives;
  lives.add(kNodes).number(static_cast<std::int64_t>(max));
  const auto found = co_await attempt.run(std::move(lives));
  std::vector<NodeRow> rows;
  std::vector<std::int64_t> ids;
  std::unordered_map<LifeId, std::size_t> places;
  for (int row = 0; row < found.front().rows(); ++row) {
    rows.push_back(row_of(found.front(), row));
    ids.push_back(found.front().number(row, 0));
    places.emplace(rows.back().life, rows.size() - 1);
  }
  Pipeline theirs;
  theirs.add(kTablesOfLives).numbers(ids);
  theirs.add(kDutiesOfLives).numbers(ids);
  const auto results = co_await attempt.run(std::move(theirs));
  for (int row = 0; row < results[0].rows(); ++row) {
    rows[places.at(results[0].id<LifeId>(row, 0))].tables =
        static_cast<std::uint64_t>(results[0].number(row, 1));
  }
  for (int row = 0; row < results[1].rows(); ++row) {
    rows[places.at(results[1].id<LifeId>(row, 0))].duties.push_back(
        static_cast<Duty>(results[1].number(row, 1)));
  }
  co_return rows;
}

}  // namespace

awaitable<Expected<std::vector<ArchiveTask>>> KeptData::archive_tasks(std::int64_t ended_before_ms,
                                                                      std::size_t max) {
  return lists_.run<std::vector<ArchiveTask>>(
      [=](Attempt& attempt) { return postgres::archive_tasks(attempt, ended_before_ms, max); });
}

awaitable<Expected<std::uint64_t>> KeptData::archive_backlog(std::int64_t ended_before_ms) {
  return lists_.run<std::uint64_t>(
      [=](Attempt& attempt) { return postgres::archive_backlog(attempt, ended_before_ms); });
}

awaitable<Expected<void>> KeptData::archive(TableId table, std::optional<archive::PackedLog> packed,
                                            std::uint64_t snapshots_apart) {
  return writes_.run<void>([=, packed = std::move(packed)](Attempt& attempt) {
    return postgres::archive(attempt, table, packed, snapshots_apart);
  });
}

awaitable<Expected<void>> KeptData::drop_packed(TableId table) {
  return writes_.run<void>(
      [table](Attempt& attempt) { return postgres::drop_packed(attempt, table); });
}

awaitable<Expected<std::vector<EndedTable>>> KeptData::ended_tables(std::int64_t before_ms,
                                                                    std::size_t max) {
  return lists_.run<std::vector<EndedTable>>(
      [=](Attempt& attempt) { return postgres::ended_tables(attempt, before_ms, max); });
}

awaitable<Expected<std::vector<EndedTable>>> KeptData::ended_tables_after(EndedCursor after,
                                                                          std::int64_t before_ms,
                                                                          std::size_t max) {
  return lists_.run<std::vector<EndedTable>>([=](Attempt& attempt) {
    return postgres::ended_tables_after(attempt, after, before_ms, max);
  });
}

awaitable<Expected<std::vector<SilentGuest>>> KeptData::silent_guests(std::int64_t before_ms,
                                                                      std::size_t max) {
  return lists_.run<std::vector<SilentGuest>>(
      [=](Attempt& attempt) { return postgres::silent_guests(attempt, before_ms, max); });
}

awaitable<Expected<Removed>> KeptData::remove(Removal removal) {
  auto work = [removal = std::move(removal)](Attempt& attempt) {
    return remove_rows(attempt, removal);
  };
  auto rows = co_await writes_.run<Removed>(std::move(work));
  if (!rows) co_return rows;
  const auto events =
      co_await writes_.run<Removed>([](Attempt& attempt) { return remove_events(attempt); });
  if (!events) co_return events;
  rows->events = events->events;
  rows->more = events->more;
  co_return rows;
}

awaitable<Expected<void>> KeptData::erase(PlayerId player, std::int64_t at_ms,
                                          std::vector<TableId> tables) {
  return writes_.run<void>([player, at_ms, tables = std::move(tables)](Attempt& attempt) {
    return postgres::erase(attempt, player, at_ms, tables);
  });
}

awaitable<Expected<std::vector<PlayerId>>> KeptData::erased(std::size_t max) {
  return lists_.run<std::vector<PlayerId>>(
      [max](Attempt& attempt) { return postgres::erased(attempt, max); });
}

awaitable<Expected<std::vector<ScoreLine>>> KeptData::scores(PlayerId player, std::uint64_t after,
                                                             std::size_t max) {
  return lists_.run<std::vector<ScoreLine>>(
      [=](Attempt& attempt) { return postgres::scores(attempt, player, after, max); });
}

awaitable<Expected<std::vector<NodeRow>>> KeptData::nodes(std::size_t max) {
  return lists_.run<std::vector<NodeRow>>(
      [max](Attempt& attempt) { return postgres::nodes(attempt, max); });
}

}  // namespace tesela::store::postgres
