#include "server/store/sqlite/queries.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/store/refusals.h"
#include "server/store/sqlite/schema.h"

namespace tesela::store {
namespace {

constexpr const char* kTableColumns =
    "id, game, config, state, seat_count, epoch, created_ms, result, ended_ms";

Error error_of(const StorageError& error) {
  const std::string why = std::string(" (") + error.what() + ").";
  if (error.primary() == SQLITE_CORRUPT || error.primary() == SQLITE_NOTADB) {
    return {ErrorCode::kCorrupt, "The server's database is damaged" + why};
  }
  return {ErrorCode::kUnavailable, "The server cannot read its database now" + why};
}

TableRow table_of(const Statement& row) {
  TableRow table{.id = row.id<TableId>(0),
                 .game = row.text(1),
                 .config = row.blob(2),
                 .state = static_cast<TableState>(row.number(3)),
                 .seat_count = static_cast<std::uint8_t>(row.number(4)),
                 .seats = {},
                 .epoch = row.id<Epoch>(5),
                 .created_ms = row.number(6),
                 .ending = std::nullopt};
  if (!row.null(7)) table.ending = Ending{row.blob(7), row.number(8)};
  return table;
}

/// The query of a page. A condition that is not set is left out, so that the planner sees the
/// index.
std::string page_query(const TableFilter& filter, bool after) {
  std::string where;
  const auto also = [&](const std::string& condition) {
    where += (where.empty() ? " WHERE " : " AND ") + condition;
  };
  // A player has few tables: the plus keeps the planner from walking an index of everybody's.
  const std::string plus = filter.player ? "+" : "";
  if (!filter.game.empty()) also(plus + "game = ?1");
  // A literal: a parameter would hide the partial index.
  if (filter.state) also(plus + "state = " + std::to_string(static_cast<int>(*filter.state)));
  if (filter.player) also("id IN (SELECT table_id FROM seats WHERE player_id = ?2)");
  if (after) also("(created_ms, id) < (?3, ?4)");
  return std::string("SELECT ") + kTableColumns + " FROM tables" + where +
         " ORDER BY created_ms DESC, id DESC LIMIT ?5";
}

}  // namespace

Queries::Queries(const std::filesystem::path& database, const RecentEvents& recent)
    : recent_(recent),
      connection_(database, Connection::Access::kReadOnly),
      table_exists_(connection_, "SELECT 1 FROM tables WHERE id = ?1"),
      events_(connection_,
              "SELECT version, record FROM events WHERE table_id = ?1 AND version >= ?2"
              " ORDER BY version LIMIT ?3"),
      player_(connection_, "SELECT display_name, created_ms FROM players WHERE id = ?1"),
      table_(connection_, std::string("SELECT ") + kTableColumns + " FROM tables WHERE id = ?1"),
      seats_(connection_,
             "SELECT seat, player_id, display_name FROM seats JOIN players ON id = player_id"
             " WHERE table_id = ?1 ORDER BY seat") {
  tune_reader(connection_);
}

template <class T, class Read>
Expected<T> Queries::at_one_moment(Read&& read) {
  Expected<T> result;
  try {
    connection_.run("BEGIN");
    result = read();
  } catch (const StorageError& error) {
    result = std::unexpected(error_of(error));
  }
  try {
    if (connection_.in_transaction()) connection_.run("COMMIT");
  } catch (const StorageError& error) {
    result = std::unexpected(error_of(error));
  }
  return result;
}

Expected<std::vector<Entry>> Queries::events(TableId table, Version from, std::size_t max) {
  // Memory first: see RecentEvents::since.
  auto recent = recent_.since(table, from, max);
  return at_one_moment<std::vector<Entry>>([&]() -> Expected<std::vector<Entry>> {
    if (!table_exists_.bind(1, table).first_row([](const Statement&) {})) return no_such_table();
    std::vector<Entry> entries;
    Version expected = from;
    const auto take = [&](Entry entry) {
      if (entry.version != expected) return false;
      expected = next(expected);
      entries.push_back(std::move(entry));
      return true;
    };
    bool whole = true;
    events_.bind(1, table).bind(2, from).bind(3, static_cast<std::int64_t>(max));
    events_.each_row([&](const Statement& row) {
      whole = whole && take(Entry{row.id<Version>(0), row.blob(1)});
    });
    for (Entry& entry : recent) {
      if (entry.version < expected || entries.size() == max) continue;
      whole = whole && take(std::move(entry));
    }
    if (!whole) return refuse(ErrorCode::kCorrupt, "The table's log has a gap.");
    return entries;
  });
}

Expected<PlayerRow> Queries::player(PlayerId id) {
  return at_one_moment<PlayerRow>([&]() -> Expected<PlayerRow> {
    PlayerRow player{.id = id, .display_name = {}};
    const bool found = player_.bind(1, id).first_row([&](const Statement& row) {
      player.display_name = row.text(0);
      player.created_ms = row.number(1);
    });
    if (!found) return no_such_player();
    return player;
  });
}

Expected<TableRow> Queries::table(TableId id) {
  return at_one_moment<TableRow>([&]() -> Expected<TableRow> {
    TableRow table;
    const auto read = [&](const Statement& row) { table = table_of(row); };
    if (!table_.bind(1, id).first_row(read)) return no_such_table();
    add_seats(table);
    return table;
  });
}

Expected<std::vector<TableRow>> Queries::tables(const TableFilter& filter,
                                                const std::optional<TableCursor>& after,
                                                std::size_t max) {
  return at_one_moment<std::vector<TableRow>>([&]() -> Expected<std::vector<TableRow>> {
    Statement page(connection_, page_query(filter, after.has_value()));
    page.bind_text(1, filter.game);
    if (filter.player) page.bind(2, *filter.player);
    if (after) page.bind(3, after->created_ms).bind(4, after->id);
    page.bind(5, static_cast<std::int64_t>(max));
    std::vector<TableRow> tables;
    page.each_row([&](const Statement& row) { tables.push_back(table_of(row)); });
    for (TableRow& table : tables) add_seats(table);
    return tables;
  });
}

void Queries::add_seats(TableRow& table) {
  seats_.bind(1, table.id).each_row([&](const Statement& row) {
    table.seats.push_back(SeatRow{
        .seat = row.id<Seat>(0), .player = row.id<PlayerId>(1), .display_name = row.text(2)});
  });
}

}  // namespace tesela::store
