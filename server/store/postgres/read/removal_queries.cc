#include "server/store/postgres/read/removal_queries.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "server/base/scale_limits.h"
#include "server/store/postgres/connection/pipeline.h"
#include "server/store/postgres/read/queries.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

// A game begins when every seat is taken and no contribution is awaited. EXISTS stands nowhere
// here: PostgreSQL would read all scores or ratings at once, not knowing how few rows are asked
// for.
constexpr const char* kEndedTables =
    "SELECT id, ended_ms, state = 4, seat_count = (SELECT count(*) FROM seats"
    " WHERE table_id = tables.id AND contribution_state <> 1),"
    " daily IS NOT NULL, (SELECT 1 FROM scores WHERE table_id = tables.id LIMIT 1) IS NOT NULL,"
    " options"
    " FROM tables WHERE ended_ms IS NOT NULL AND ended_ms < $1"
    " AND (ended_ms, id) > ($3, $4) ORDER BY ended_ms, id LIMIT $2";
constexpr const char* kSearchedUntil = "SELECT at_ms, id FROM retention WHERE list = 'tables'";
constexpr const char* kEndedTablesNamed =
    "SELECT id, ended_ms, state = 4, seat_count = (SELECT count(*) FROM seats"
    " WHERE table_id = tables.id AND contribution_state <> 1),"
    " daily IS NOT NULL, (SELECT 1 FROM scores WHERE table_id = tables.id LIMIT 1) IS NOT NULL,"
    " options"
    " FROM tables WHERE ended_ms IS NOT NULL AND id = ANY($1)";
constexpr const char* kPeople =
    "SELECT table_id, player_id, kind <> 1,"
    " (SELECT 1 FROM ratings WHERE ratings.player_id = seats.player_id LIMIT 1) IS NOT NULL"
    " FROM seats JOIN players ON players.id = player_id"
    " WHERE table_id = ANY($1) AND kind <> 3 ORDER BY table_id, seat";
constexpr const char* kSilentGuests =
    "SELECT id, (SELECT 1 FROM ratings WHERE player_id = players.id LIMIT 1) IS NOT NULL,"
    " (SELECT 1 FROM scores WHERE player_id = players.id LIMIT 1) IS NOT NULL"
    " FROM players WHERE kind = 1 AND seen_ms < $1 ORDER BY seen_ms, id LIMIT $2";
// The newest table of a player is that of up to eight walks, as in lists of tables.
constexpr const char* kLastSigns =
    "SELECT p.id, greatest(p.created_ms, p.seen_ms, newest.created_ms, newest.ended_ms)"
    " FROM players p LEFT JOIN LATERAL ("
    "  SELECT walk.created_ms, t.ended_ms"
    "  FROM unnest(ARRAY[true, false]) AS a(public),"
    "   unnest(ARRAY[1, 2, 3, 4]::bigint[]) AS b(state), LATERAL ("
    "    SELECT s.created_ms, s.table_id FROM seats s WHERE s.player_id = p.id"
    "     AND s.public = a.public AND s.state = b.state"
    "     ORDER BY s.created_ms DESC, s.table_id DESC LIMIT 1) walk"
    "   JOIN tables t ON t.id = walk.table_id"
    "  ORDER BY walk.created_ms DESC, walk.table_id DESC LIMIT 1) newest ON true"
    " WHERE p.id = ANY($1)";
// State 2 alone: those that are over.
constexpr const char* kTablesOfGuests =
    "SELECT g.id, listed.table_id FROM unnest($1::bigint[]) AS g(id), LATERAL ("
    "  SELECT walk.created_ms, walk.table_id FROM unnest(ARRAY[true, false]) AS a(public),"
    "   LATERAL (SELECT DISTINCT s.created_ms, s.table_id"
    "    FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.player_id = g.id"
    "    AND s.public = a.public AND s.state = 2 AND t.daily IS NULL"
    "    AND (SELECT 1 FROM scores WHERE scores.table_id = s.table_id LIMIT 1) IS NULL"
    "    ORDER BY s.created_ms DESC, s.table_id DESC LIMIT $2) walk"
    "  ORDER BY walk.created_ms DESC, walk.table_id DESC LIMIT $2) listed"
    " ORDER BY g.id, listed.created_ms DESC, listed.table_id DESC";

EndedTable ended_table_of(const Result& rows, int row) {
  return {.id = rows.id<TableId>(row, 0),
          .ended_ms = rows.number(row, 1),
          .closed = rows.flag(row, 2),
          .begun = rows.flag(row, 3),
          .daily = rows.flag(row, 4),
          .on_board = rows.flag(row, 5),
          .options = rows.text(row, 6)};
}

std::vector<EndedTable> ended_tables_of(const Result& rows) {
  std::vector<EndedTable> tables;
  tables.reserve(static_cast<std::size_t>(rows.rows()));
  for (int row = 0; row < rows.rows(); ++row) tables.push_back(ended_table_of(rows, row));
  return tables;
}

std::vector<std::int64_t> ids_of(std::span<const EndedTable> tables) {
  std::vector<TableId> ids;
  for (const EndedTable& table : tables) ids.push_back(table.id);
  return numbers_of(ids);
}

/// A person with several seats is added once.
void add_people(std::span<EndedTable> tables, const Result& rows) {
  for (int row = 0; row < rows.rows(); ++row) {
    const auto table = std::ranges::find(tables, rows.id<TableId>(row, 0), &EndedTable::id);
    const auto player = rows.id<PlayerId>(row, 1);
    if (std::ranges::find(table->people, player, &PersonAt::player) != table->people.end()) {
      continue;
    }
    table->people.push_back(
        {.player = player, .registered = rows.flag(row, 2), .rated = rows.flag(row, 3)});
  }
}

using Signs = std::map<PlayerId, std::int64_t>;

awaitable<Signs> last_signs(Attempt& attempt, std::vector<std::int64_t> players) {
  Pipeline pipeline;
  pipeline.add(kLastSigns).numbers(players);
  const auto results = co_await attempt.run(std::move(pipeline));
  Signs signs;
  for (int row = 0; row < results.front().rows(); ++row) {
    signs[results.front().id<PlayerId>(row, 0)] = results.front().number(row, 1);
  }
  co_return signs;
}

/// SilentGuest::tables: one more than a guest may have.
awaitable<std::map<PlayerId, std::vector<TableId>>> tables_of_guests(
    Attempt& attempt, std::vector<std::int64_t> guests) {
  Pipeline pipeline;
  pipeline.add(kTablesOfGuests)
      .numbers(guests)
      .number(static_cast<std::int64_t>(limits::kRetentionTablesOfGuest) + 1);
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& rows = results.front();
  std::map<PlayerId, std::vector<TableId>> tables;
  for (int row = 0; row < rows.rows(); ++row) {
    tables[rows.id<PlayerId>(row, 0)].push_back(rows.id<TableId>(row, 1));
  }
  co_return tables;
}

/// These tables, with the last signs of their people.
awaitable<std::vector<EndedTable>> tables_named(Attempt& attempt, std::vector<TableId> ids) {
  const auto numbers = numbers_of(ids);
  Pipeline pipeline;
  pipeline.add(kEndedTablesNamed).numbers(numbers);
  pipeline.add(kPeople).numbers(numbers);
  const auto results = co_await attempt.run(std::move(pipeline));
  std::vector<EndedTable> tables = ended_tables_of(results[0]);
  add_people(tables, results[1]);
  std::vector<PlayerId> people;
  for (const EndedTable& table : tables) {
    for (const PersonAt& person : table.people) people.push_back(person.player);
  }
  auto asked = numbers_of(people);
  const Signs signs = co_await last_signs(attempt, std::move(asked));
  for (EndedTable& table : tables) {
    for (PersonAt& person : table.people) person.last_sign_ms = signs.at(person.player);
  }
  co_return tables;
}

awaitable<void> add_tables_of(Attempt& attempt, std::span<SilentGuest> guests,
                              std::int64_t before_ms) {
  std::vector<PlayerId> silent;
  for (const SilentGuest& guest : guests) {
    if (guest.last_sign_ms < before_ms) silent.push_back(guest.id);
  }
  auto asked = numbers_of(silent);
  const auto listed = co_await tables_of_guests(attempt, std::move(asked));
  std::vector<TableId> ids;
  for (const auto& [guest, tables] : listed) ids.insert(ids.end(), tables.begin(), tables.end());
  const auto tables = co_await tables_named(attempt, std::move(ids));
  for (SilentGuest& guest : guests) {
    const auto own = listed.find(guest.id);
    if (own == listed.end()) continue;
    guest.more = own->second.size() > limits::kRetentionTablesOfGuest;
    const auto shown = std::min(own->second.size(), limits::kRetentionTablesOfGuest);
    for (const TableId id : std::span(own->second).first(shown)) {
      guest.tables.push_back(*std::ranges::find(tables, id, &EndedTable::id));
    }
  }
}

/// In a transaction that has begun, which is ended here.
awaitable<std::vector<EndedTable>> tables_after(Attempt& attempt, EndedCursor after,
                                                std::int64_t before_ms, std::size_t max) {
  Pipeline list;
  list.add(kEndedTables)
      .number(before_ms)
      .number(static_cast<std::int64_t>(max))
      .number(after.ended_ms)
      .id(after.id);
  const auto listed = co_await attempt.run(std::move(list));
  std::vector<EndedTable> tables = ended_tables_of(listed.front());
  Pipeline people;
  people.add(kPeople).numbers(ids_of(tables));
  people.add(kCommit);
  const auto results = co_await attempt.run(std::move(people));
  add_people(tables, results.front());
  co_return tables;
}

}  // namespace

awaitable<Expected<std::vector<EndedTable>>> ended_tables(Attempt& attempt, std::int64_t before_ms,
                                                          std::size_t max) {
  Pipeline begin;
  begin.add(kBeginReading);
  begin.add(kSearchedUntil);
  const auto begun = co_await attempt.run(std::move(begin));
  const Result& looked = begun[1];
  const EndedCursor after{.ended_ms = looked.number(0, 0), .id = looked.id<TableId>(0, 1)};
  co_return co_await tables_after(attempt, after, before_ms, max);
}

awaitable<Expected<std::vector<EndedTable>>> ended_tables_after(Attempt& attempt, EndedCursor after,
                                                                std::int64_t before_ms,
                                                                std::size_t max) {
  Pipeline begin;
  begin.add(kBeginReading);
  static_cast<void>(co_await attempt.run(std::move(begin)));
  co_return co_await tables_after(attempt, after, before_ms, max);
}

awaitable<Expected<std::vector<SilentGuest>>> silent_guests(Attempt& attempt,
                                                            std::int64_t before_ms,
                                                            std::size_t max) {
  Pipeline pipeline;
  pipeline.add(kBeginReading);
  pipeline.add(kSilentGuests).number(before_ms).number(static_cast<std::int64_t>(max));
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& rows = results[1];
  std::vector<SilentGuest> guests;
  std::vector<PlayerId> ids;
  for (int row = 0; row < rows.rows(); ++row) {
    ids.push_back(rows.id<PlayerId>(row, 0));
    guests.push_back({.id = ids.back(), .rated = rows.flag(row, 1), .on_board = rows.flag(row, 2)});
  }
  auto asked = numbers_of(ids);
  const Signs signs = co_await last_signs(attempt, std::move(asked));
  for (SilentGuest& guest : guests) guest.last_sign_ms = signs.at(guest.id);
  co_await add_tables_of(attempt, guests, before_ms);
  co_await attempt.commit();
  co_return guests;
}

}  // namespace tesela::store::postgres
