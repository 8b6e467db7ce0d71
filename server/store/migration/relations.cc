#include "server/store/migration/relations.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "server/base/postgres_limits.h"

namespace tesela::store::migration {
namespace {

constexpr std::size_t kShort = limits::kMigrationShortRowsAtOnce;

// What stands in `tables` on SQLite, and the last version of the log, wherever it is.
constexpr const char* kHeads =
    "SELECT t.id, t.epoch, max(t.log_end, coalesce(a.events, 0), coalesce(r.version, 0), coalesce("
    "  (SELECT max(version) FROM events WHERE table_id = t.id), 0)), 0 FROM tables AS t"
    " LEFT JOIN archives AS a ON a.table_id = t.id"
    " LEFT JOIN (SELECT table_id, max(version) AS version FROM recent_events GROUP BY table_id) AS "
    "r"
    "  ON r.table_id = t.id ORDER BY t.id";
// The name and the kind of a player are copied into the seat. In the order of seats: SQLite does
// not change the order of a CROSS JOIN.
constexpr const char* kSeats =
    "SELECT table_id, seat, player_id, display_name, kind = 3, strategy, contribution,"
    " contribution_state, game, public, state, seats.created_ms"
    " FROM seats CROSS JOIN players ON players.id = player_id ORDER BY table_id, seat";
// Who appended an event is not known: the first epoch is not above that of any later one. Recent
// events that are compacted, packed or deleted may still be there.
constexpr const char* kEvents =
    "SELECT table_id, version, 1, record FROM events"
    " UNION ALL SELECT table_id, version, 1, record FROM recent_events AS recent"
    "  WHERE table_id IN (SELECT id FROM tables)"
    "  AND NOT EXISTS (SELECT 1 FROM events AS compacted"
    "   WHERE compacted.table_id = recent.table_id AND compacted.version = recent.version)"
    "  AND NOT EXISTS (SELECT 1 FROM archives"
    "   WHERE archives.table_id = recent.table_id AND archives.events >= recent.version)"
    " ORDER BY 1, 2";

std::string_view array_type(Type type) {
  switch (type) {
    case Type::kNumber:
      return "::bigint[]";
    case Type::kReal:
      return "::double precision[]";
    case Type::kFlag:
      return "::boolean[]";
    case Type::kText:
      return "::text[]";
    case Type::kBytes:
      break;
  }
  return "::bytea[]";
}

/// "a, b, c"
std::string names(const std::vector<Column>& columns) {
  std::string list;
  for (const Column& column : columns) list += (list.empty() ? "" : ", ") + column.name;
  return list;
}

/// "$1::bigint[], $2::text[]"
std::string arrays(const std::vector<Column>& columns) {
  std::string list;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) list += ", ";
    list += "$" + std::to_string(i + 1) + std::string(array_type(columns[i].type));
  }
  return list;
}

/// The names of columns, each with its type behind a colon: n, r, f, t or b.
std::vector<Column> columns_of(std::string_view text) {
  const auto type_of = [](char letter) {
    constexpr std::string_view kLetters = "nrftb";
    return static_cast<Type>(kLetters.find(letter));
  };
  std::vector<Column> columns;
  while (!text.empty()) {
    const std::size_t colon = text.find(':');
    columns.push_back({std::string(text.substr(0, colon)), type_of(text[colon + 1])});
    text.remove_prefix(std::min(text.size(), colon + 3));
  }
  return columns;
}

/// `keys`: the first columns, by which the rows are ordered. `source`: where SQLite has other
/// columns; it ends with the order.
Relation relation(std::string name, std::string_view columns, std::size_t keys,
                  std::size_t rows_at_once = kShort, std::string source = {}) {
  Relation made{.name = std::move(name),
                .columns = columns_of(columns),
                .rows_at_once = rows_at_once,
                .source = std::move(source),
                .insert = {},
                .declare = {},
                .fetch = {}};
  std::vector<Column> ordered = made.columns;
  ordered.resize(keys);
  const std::string rows =
      "SELECT " + names(made.columns) + " FROM " + made.name + " ORDER BY " + names(ordered);
  if (made.source.empty()) made.source = rows;
  made.source += " LIMIT -1 OFFSET ?1";
  made.insert = "INSERT INTO " + made.name + " (" + names(made.columns) +
                ") SELECT * FROM unnest(" + arrays(made.columns) + ")";
  const std::string cursor = "read_" + made.name;
  made.declare = "DECLARE " + cursor + " NO SCROLL CURSOR FOR " + rows;
  made.fetch = "FETCH " + std::to_string(rows_at_once) + " FROM " + cursor;
  return made;
}

/// The hash of a configuration, which the unique key has in its place, is PostgreSQL's alone.
Relation boards() {
  Relation made = relation("boards", "id:n kind:n game:t config:b day:n", 1);
  made.insert =
      "INSERT INTO boards (id, kind, game, config, config_hash, day) OVERRIDING SYSTEM VALUE"
      " SELECT b.id, b.kind, b.game, b.config, sha256(b.config), b.day FROM unnest(" +
      arrays(made.columns) + ") AS b (" + names(made.columns) + ")";
  return made;
}

/// Its row is there from the beginning.
Relation retention() {
  Relation made = relation("retention", "list:t at_ms:n id:n", 1);
  made.insert += " ON CONFLICT (list) DO UPDATE SET at_ms = excluded.at_ms, id = excluded.id";
  return made;
}

std::vector<Relation> all() {
  std::vector<Relation> made;
  made.push_back(relation("players",
                          "id:n display_name:t created_ms:n kind:n identity:b seen_ms:n"
                          " erased_ms:n",
                          1));
  made.push_back(relation("tables",
                          "id:n game:t config:b options:b owner_id:n invite:t seed:b state:n"
                          " assisted:f seat_count:n created_ms:n result:b ended_ms:n daily:n"
                          " public:f log_place:n",
                          1));
  made.push_back(relation("seats",
                          "table_id:n seat:n player_id:n display_name:t bot:f strategy:t"
                          " contribution:b contribution_state:n game:t public:f state:n"
                          " created_ms:n",
                          2, kShort, kSeats));
  made.push_back(relation("heads", "table_id:n epoch:n version:n life:n", 1, kShort, kHeads));
  made.push_back(relation("events", "table_id:n version:n epoch:n record:b", 2, kShort, kEvents));
  made.push_back(relation("archives", "table_id:n format:n events:n bytes:n hash:b data:b", 1,
                          limits::kMigrationPackedLogsAtOnce));
  made.push_back(relation("snapshots", "table_id:n version:n position:b marks:b", 2,
                          limits::kMigrationSnapshotsAtOnce));
  made.push_back(relation("last_matches", "player_id:n table_id:n", 1));
  made.push_back(relation(
      "ratings", "game:t player_id:n mu:r sigma:r games:n points:n at_ms:n opponents:n", 2));
  made.push_back(relation("meetings", "game:t player_id:n opponent_id:n day:n games:n", 3));
  made.push_back(boards());
  made.push_back(relation("scores", "board_id:n player_id:n points:n at_ms:n table_id:n", 2));
  made.push_back(relation("removed_tables", "id:n", 1));
  made.push_back(retention());
  return made;
}

}  // namespace

const std::vector<Relation>& relations() {
  static const std::vector<Relation> made = all();
  return made;
}

}  // namespace tesela::store::migration
