#include "server/store/sql/removals.h"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "engine/core/ids.h"
#include "server/base/scale_limits.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

// A game begins when every seat is taken and no contribution is awaited. Its events do not tell: on
// SQLite they may be on their way from `recent_events` to `events`. EXISTS stands nowhere here:
// PostgreSQL would read all scores or ratings at once, not knowing how few rows are asked for.
const std::string kEndedTable =
    "SELECT id, ended_ms, state = 4, seat_count = (SELECT count(*) FROM seats"
    " WHERE table_id = tables.id AND contribution_state <> 1),"
    " daily IS NOT NULL, (SELECT 1 FROM scores WHERE table_id = tables.id LIMIT 1) IS NOT NULL,"
    " options FROM tables WHERE ended_ms IS NOT NULL";
const std::string kEndedTables =
    kEndedTable + " AND ended_ms < $1 AND (ended_ms, id) > ($3, $4) ORDER BY ended_ms, id LIMIT $2";
const std::string kEndedTablesNamed = kEndedTable + " AND id = ANY($1)";
constexpr Text kLookedUntil{"SELECT at_ms, id FROM retention WHERE list = 'tables'"};
constexpr Text kPeople{
    "SELECT table_id, player_id, kind <> 1,"
    " (SELECT 1 FROM ratings WHERE ratings.player_id = seats.player_id LIMIT 1) IS NOT NULL"
    " FROM seats JOIN players ON players.id = player_id"
    " WHERE table_id = ANY($1) AND kind <> 3 ORDER BY table_id, seat"};
constexpr Text kSilentGuests{
    "SELECT id, (SELECT 1 FROM ratings WHERE player_id = players.id LIMIT 1) IS NOT NULL,"
    " (SELECT 1 FROM scores WHERE player_id = players.id LIMIT 1) IS NOT NULL"
    " FROM players WHERE kind = 1 AND seen_ms < $1 ORDER BY seen_ms, id LIMIT $2"};
// State 2 alone: those that are over.
constexpr Text kTablesOfGuest{
    "SELECT DISTINCT s.created_ms, s.table_id FROM seats s JOIN tables t ON t.id = s.table_id"
    " WHERE s.player_id = $1 AND s.public = $2 AND s.state = 2 AND t.daily IS NULL"
    " AND (SELECT 1 FROM scores WHERE scores.table_id = s.table_id LIMIT 1) IS NULL"
    " ORDER BY s.created_ms DESC, s.table_id DESC LIMIT $3"};

/// The last signs of the players $1. The newest table of a player is that of eight walks, as in
/// lists of tables.
const std::string& last_signs_sql() {
  static const std::string sql = [] {
    std::string walks;
    for (const char* is_public : {"true", "false"}) {
      for (const char* state : {"1", "2", "3", "4"}) {
        walks += std::string(walks.empty() ? "" : " UNION ALL ") +
                 "SELECT * FROM (SELECT created_ms, table_id FROM seats WHERE player_id = p.id"
                 " AND public = " +
                 is_public + " AND state = " + state +
                 " ORDER BY created_ms DESC, table_id DESC LIMIT 1) AS walk";
      }
    }
    return "SELECT p.id, greatest(p.created_ms, p.seen_ms, coalesce(("
           "SELECT greatest(newest.created_ms, coalesce(t.ended_ms, 0)) FROM (" +
           walks +
           ") AS newest JOIN tables t ON t.id = newest.table_id"
           " ORDER BY newest.created_ms DESC, newest.table_id DESC LIMIT 1), 0))"
           " FROM players p WHERE p.id = ANY($1)";
  }();
  return sql;
}

EndedTable ended_table_of(Row row) {
  return {.id = row.id<TableId>(0),
          .ended_ms = row.number(1),
          .closed = row.flag(2),
          .begun = row.flag(3),
          .daily = row.flag(4),
          .on_board = row.flag(5),
          .options = row.text(6)};
}

std::vector<TableId> ids_of(std::span<const EndedTable> tables) {
  std::vector<TableId> ids;
  for (const EndedTable& table : tables) ids.push_back(table.id);
  return ids;
}

/// A person with several seats is added once.
void add_people(std::span<EndedTable> tables, const Rows& rows) {
  for (const Row row : rows) {
    const auto table = std::ranges::find(tables, row.id<TableId>(0), &EndedTable::id);
    const auto player = row.id<PlayerId>(1);
    if (std::ranges::find(table->people, player, &PersonAt::player) != table->people.end()) {
      continue;
    }
    table->people.push_back({.player = player, .registered = row.flag(2), .rated = row.flag(3)});
  }
}

using Signs = std::map<PlayerId, std::int64_t>;

awaitable<Signs> last_signs(Session& session, const std::vector<PlayerId>& players) {
  const auto rows = co_await session.run(Query(last_signs_sql().c_str()).ids(players));
  Signs signs;
  for (const Row row : rows) signs[row.id<PlayerId>(0)] = row.number(1);
  co_return signs;
}

/// Of each of the guests, SilentGuest::tables and one more: created_ms and id, the newest first.
awaitable<std::vector<std::vector<TableId>>> tables_of_guests(Session& session,
                                                              const std::vector<PlayerId>& guests) {
  constexpr std::size_t kMax = limits::kRetentionTablesOfGuest + 1;
  Batch batch;
  for (const PlayerId guest : guests) {
    for (const bool is_public : {true, false}) {
      batch.add(kTablesOfGuest).id(guest).flag(is_public).count(kMax);
    }
  }
  const auto answers = co_await session.run(std::move(batch));
  std::vector<std::vector<TableId>> tables;
  for (std::size_t i = 0; i < guests.size(); ++i) {
    std::vector<std::pair<std::int64_t, TableId>> listed;
    for (const Rows& rows : std::span(answers).subspan(2 * i, 2)) {
      for (const Row row : rows) listed.emplace_back(row.number(0), row.id<TableId>(1));
    }
    std::ranges::sort(listed, std::greater{});
    listed.resize(std::min(listed.size(), kMax));
    auto& ids = tables.emplace_back();
    for (const auto& [created_ms, id] : listed) ids.push_back(id);
  }
  co_return tables;
}

/// These tables, with the last signs of their people.
awaitable<std::vector<EndedTable>> tables_named(Session& session, const std::vector<TableId>& ids) {
  Batch batch;
  batch.add(kEndedTablesNamed.c_str()).ids(ids);
  batch.add(kPeople).ids(ids);
  const auto answers = co_await session.run(std::move(batch));
  std::vector<EndedTable> tables = answers[0].map(ended_table_of);
  add_people(tables, answers[1]);
  std::vector<PlayerId> people;
  for (const EndedTable& table : tables) {
    for (const PersonAt& person : table.people) people.push_back(person.player);
  }
  const Signs signs = co_await last_signs(session, people);
  for (EndedTable& table : tables) {
    for (PersonAt& person : table.people) person.last_sign_ms = signs.at(person.player);
  }
  co_return tables;
}

awaitable<void> add_tables_of(Session& session, std::span<SilentGuest> guests,
                              std::int64_t before_ms) {
  std::vector<PlayerId> silent;
  for (const SilentGuest& guest : guests) {
    if (guest.last_sign_ms < before_ms) silent.push_back(guest.id);
  }
  const auto listed = co_await tables_of_guests(session, silent);
  std::vector<TableId> ids;
  for (const auto& tables : listed) ids.insert(ids.end(), tables.begin(), tables.end());
  const auto tables = co_await tables_named(session, ids);
  for (std::size_t i = 0; i < silent.size(); ++i) {
    SilentGuest& guest = *std::ranges::find(guests, silent[i], &SilentGuest::id);
    guest.more = listed[i].size() > limits::kRetentionTablesOfGuest;
    const auto shown = std::min(listed[i].size(), limits::kRetentionTablesOfGuest);
    for (const TableId id : std::span(listed[i]).first(shown)) {
      guest.tables.push_back(*std::ranges::find(tables, id, &EndedTable::id));
    }
  }
}

}  // namespace

awaitable<Expected<std::vector<EndedTable>>> ended_tables(Session& session,
                                                          std::optional<EndedCursor> after,
                                                          std::int64_t before_ms, std::size_t max) {
  if (!after) {
    const auto looked = co_await session.run(Query(kLookedUntil));
    after = EndedCursor{};
    for (const Row row : looked) *after = {.ended_ms = row.number(0), .id = row.id<TableId>(1)};
  }
  Query list(kEndedTables.c_str());
  list.number(before_ms).count(max).number(after->ended_ms).id(after->id);
  const auto listed = co_await session.run(std::move(list));
  std::vector<EndedTable> tables = listed.map(ended_table_of);
  const auto rows = co_await session.finish(Query(kPeople).ids(ids_of(tables)));
  add_people(tables, rows);
  co_return tables;
}

awaitable<Expected<std::vector<SilentGuest>>> silent_guests(Session& session,
                                                            std::int64_t before_ms,
                                                            std::size_t max) {
  const auto rows = co_await session.run(Query(kSilentGuests).number(before_ms).count(max));
  auto guests = rows.map([](Row row) {
    return SilentGuest{.id = row.id<PlayerId>(0), .rated = row.flag(1), .on_board = row.flag(2)};
  });
  const auto ids = rows.ids<PlayerId>();
  const Signs signs = co_await last_signs(session, ids);
  for (SilentGuest& guest : guests) guest.last_sign_ms = signs.at(guest.id);
  co_await add_tables_of(session, guests, before_ms);
  co_return guests;
}

}  // namespace tesela::store::sql
