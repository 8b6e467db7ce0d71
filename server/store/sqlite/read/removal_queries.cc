#include "server/store/sqlite/read/removal_queries.h"

#include <algorithm>
#include <string>

#include "server/base/scale_limits.h"
#include "server/store/store.h"

namespace tesela::store {
namespace {

// A game begins when every seat is taken and no contribution is awaited. Its events do not tell:
// they may be on their way from `recent_events` to `events`.
constexpr const char* kEnded =
    "SELECT id, ended_ms, state = 4, seat_count = (SELECT count(*) FROM seats"
    " WHERE table_id = tables.id AND contribution_state <> 1),"
    " daily IS NOT NULL, EXISTS (SELECT 1 FROM scores WHERE table_id = tables.id), options"
    " FROM tables WHERE ended_ms IS NOT NULL AND ";

// Of the player ?1 among the public or private tables.
std::string over_of_player(const char* is_public) {
  return std::string(
             "SELECT seats.created_ms, table_id FROM seats CROSS JOIN tables ON id = table_id"
             " WHERE player_id = ?1 AND seats.public = ") +
         is_public +
         " AND seats.state = 2 AND daily IS NULL"
         " AND NOT EXISTS (SELECT 1 FROM scores WHERE scores.table_id = seats.table_id)";
}

EndedTable ended_table_of(const Statement& row) {
  return {.id = row.id<TableId>(0),
          .ended_ms = row.number(1),
          .closed = row.number(2) != 0,
          .begun = row.number(3) != 0,
          .daily = row.number(4) != 0,
          .on_board = row.number(5) != 0,
          .options = row.blob(6)};
}

TableFilter tables_of(PlayerId player) {
  return {.game = {}, .state = {}, .player = player, .private_too = true};
}

}  // namespace

RemovalQueries::RemovalQueries(Connection& connection, TableLists& lists)
    : lists_(lists),
      ended_(connection,
             std::string(kEnded) +
                 "(ended_ms, id) > (?3, ?4) AND ended_ms < ?1 ORDER BY ended_ms, id LIMIT ?2"),
      looked_(connection, "SELECT at_ms, id FROM retention WHERE list = 'tables'"),
      table_(connection, std::string(kEnded) + "id = ?1"),
      of_guest_(connection, over_of_player("1") + " UNION " + over_of_player("0") +
                                " ORDER BY 1 DESC, 2 DESC LIMIT ?2"),
      people_(connection,
              "SELECT player_id, kind <> 1,"
              " EXISTS (SELECT 1 FROM ratings WHERE ratings.player_id = seats.player_id)"
              " FROM seats JOIN players ON players.id = player_id"
              " WHERE table_id = ?1 AND kind <> 3"),
      silent_(connection,
              "SELECT id, EXISTS (SELECT 1 FROM ratings WHERE player_id = players.id),"
              " EXISTS (SELECT 1 FROM scores WHERE player_id = players.id)"
              " FROM players WHERE kind = 1 AND seen_ms < ?1 ORDER BY seen_ms, id LIMIT ?2"),
      seen_(connection, "SELECT max(created_ms, seen_ms) FROM players WHERE id = ?1") {}

std::vector<EndedTable> RemovalQueries::ended_tables(std::optional<EndedCursor> after,
                                                     std::int64_t before_ms, std::size_t max) {
  std::vector<EndedTable> tables;
  if (!after) {
    looked_.first_row([&](const Statement& row) {
      after = EndedCursor{.ended_ms = row.number(0), .id = row.id<TableId>(1)};
    });
  }
  const EndedCursor from = after.value_or(EndedCursor{});
  ended_.bind(1, before_ms)
      .bind(2, static_cast<std::int64_t>(max))
      .bind(3, from.ended_ms)
      .bind(4, from.id)
      .each_row([&](const Statement& row) { tables.push_back(ended_table_of(row)); });
  for (EndedTable& table : tables) add_people(table);
  return tables;
}

std::vector<SilentGuest> RemovalQueries::silent_guests(std::int64_t before_ms, std::size_t max) {
  std::vector<SilentGuest> guests;
  silent_.bind(1, before_ms)
      .bind(2, static_cast<std::int64_t>(max))
      .each_row([&](const Statement& row) {
        guests.push_back({.id = row.id<PlayerId>(0),
                          .rated = row.number(1) != 0,
                          .on_board = row.number(2) != 0});
      });
  for (SilentGuest& guest : guests) {
    guest.last_sign_ms = last_sign(guest.id);
    if (guest.last_sign_ms < before_ms) add_tables(guest);
  }
  return guests;
}

/// A person with several seats is added once.
void RemovalQueries::add_people(EndedTable& table) {
  people_.bind(1, table.id).each_row([&](const Statement& row) {
    const auto player = row.id<PlayerId>(0);
    if (std::ranges::find(table.people, player, &PersonAt::player) != table.people.end()) return;
    table.people.push_back(
        {.player = player, .registered = row.number(1) != 0, .rated = row.number(2) != 0});
  });
}

void RemovalQueries::add_tables(SilentGuest& guest) {
  std::vector<TableId> listed;
  of_guest_.bind(1, guest.id)
      .bind(2, static_cast<std::int64_t>(limits::kRetentionTablesOfGuest) + 1)
      .each_row([&](const Statement& row) { listed.push_back(row.id<TableId>(1)); });
  guest.more = listed.size() > limits::kRetentionTablesOfGuest;
  listed.resize(std::min(listed.size(), limits::kRetentionTablesOfGuest));
  for (const TableId table : listed) {
    table_.bind(1, table).first_row(
        [&](const Statement& row) { guest.tables.push_back(ended_table_of(row)); });
    add_people(guest.tables.back());
    for (PersonAt& person : guest.tables.back().people) {
      person.last_sign_ms = last_sign(person.player);
    }
  }
}

std::int64_t RemovalQueries::last_sign(PlayerId player) {
  std::int64_t last = 0;
  seen_.bind(1, player).first_row([&](const Statement& row) { last = row.number(0); });
  const auto newest = lists_.page(tables_of(player), std::nullopt, 1);
  if (!newest || newest->empty()) return last;
  last = std::max(last, newest->front().created_ms);
  table_.bind(1, newest->front().id).first_row([&](const Statement& row) {
    last = std::max(last, row.number(1));
  });
  return last;
}

}  // namespace tesela::store
