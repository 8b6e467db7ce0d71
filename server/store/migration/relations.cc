#include "server/store/migration/relations.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "server/base/postgres_limits.h"

namespace tesela::store::migration {
namespace {

using postgres::ElementType;

// What stands in `tables` on SQLite, and the last version of the log, wherever it is.
constexpr const char* kHeads =
    "SELECT t.id, t.epoch, max(t.log_end, coalesce(a.events, 0), coalesce(r.version, 0), coalesce("
    "  (SELECT max(version) FROM events WHERE table_id = t.id), 0)), 0 FROM tables AS t"
    " LEFT JOIN archives AS a ON a.table_id = t.id"
    " LEFT JOIN (SELECT table_id, max(version) AS version FROM recent_events GROUP BY table_id) AS "
    "r"
    "  ON r.table_id = t.id ORDER BY t.id";
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

/// A relation before its statements are made.
struct Listed {
  const char* name;
  const char* columns;  // the keys first, each with the letter of its type
  std::size_t keys;     // by which the rows are ordered
  std::size_t rows_at_once = limits::kMigrationShortRowsAtOnce;
  const char* source = nullptr;  // where SQLite has other columns; it ends with the order
  // Of the insert.
  const char* more_columns = "";
  const char* more_values = "";
  const char* on_conflict = "";
};

constexpr std::array kListed{
    Listed{"players",
           "id:n display_name:t created_ms:n kind:n identity:b seen_ms:n erased_ms:n"
           " audience:n challengers:n here_ms:n owner_id:n merged_into:n told:n quiet_from:n"
           " quiet_to:n quiet_zone:t",
           1},
    Listed{"sessions", "id:n player_id:n created_ms:n seen_ms:n ended_ms:n device:t proof:b", 1},
    Listed{"credentials", "id:b player_id:n kind:n name:t secret:b uses:n created_ms:n used_ms:n",
           1},
    Listed{"handles", "key:t player_id:n handle:t created_ms:n kept_until_ms:n", 1},
    Listed{"follows", "player_id:n followed_id:n made_ms:n", 2},
    Listed{"blocks", "player_id:n blocked_id:n made_ms:n", 2},
    Listed{"challenges",
           "id:t from_id:n to_id:n game:t config:b options:b created_ms:n expires_ms:n state:n"
           " table_id:n",
           1},
    Listed{"push_devices", "id:n player_id:n session_id:n endpoint:t p256dh:b auth:b since_ms:n",
           1},
    Listed{"reports",
           "id:n reporter_id:n player_id:n table_id:n kind:n text:t created_ms:n assignee:t"
           " closed_ms:n outcome:t",
           1},
    Listed{"report_lines", "report_id:n place:n player_id:n at_ms:n text:t phrase:n", 2},
    Listed{"acts",
           "id:n player_id:n kind:n operator_name:t reason:t created_ms:n until_ms:n"
           " state_before:t state_after:t undoes:n seen_ms:n answer:t answered_ms:n table_id:n",
           1},
    Listed{"tables",
           "id:n game:t config:b options:b owner_id:n invite:t seed:b state:n assisted:f"
           " seat_count:n created_ms:n result:b ended_ms:n daily:n public:f log_place:n",
           1},
    Listed{"seats",
           "table_id:n seat:n player_id:n strategy:t contribution:b contribution_state:n game:t"
           " public:f state:n created_ms:n",
           2},
    Listed{"heads", "table_id:n epoch:n version:n life:n", 1, limits::kMigrationShortRowsAtOnce,
           kHeads},
    Listed{"events", "table_id:n version:n epoch:n record:b", 2, limits::kMigrationShortRowsAtOnce,
           kEvents},
    Listed{"archives", "table_id:n format:n events:n bytes:n hash:b data:b", 1,
           limits::kMigrationPackedLogsAtOnce},
    Listed{"snapshots", "table_id:n version:n position:b marks:b", 2,
           limits::kMigrationSnapshotsAtOnce},
    Listed{"last_matches", "player_id:n table_id:n", 1},
    Listed{"ratings", "game:t player_id:n mu:r sigma:r games:n points:n at_ms:n opponents:n", 2},
    Listed{"rated_games", "table_id:n player_id:n mu:r sigma:r", 2},
    Listed{"rating_days", "game:t player_id:n day:n points:n", 3},
    Listed{"meetings", "game:t player_id:n opponent_id:n day:n games:n", 3},
    // The hash of a configuration, which the unique key has in its place, is PostgreSQL's alone.
    Listed{.name = "boards",
           .columns = "id:n kind:n game:t config:b day:n",
           .keys = 1,
           .more_columns = ", config_hash",
           .more_values = ", sha256(config)"},
    Listed{"scores", "board_id:n player_id:n points:n at_ms:n table_id:n", 2},
    Listed{"removed_tables", "id:n", 1},
    // Its row is there from the beginning.
    Listed{.name = "retention",
           .columns = "list:t at_ms:n id:n",
           .keys = 1,
           .on_conflict =
               " ON CONFLICT (list) DO UPDATE SET at_ms = excluded.at_ms, id = excluded.id"},
};

struct Type {
  char letter;
  ElementType element;
  const char* array;
};
constexpr std::array kTypes{
    Type{'n', ElementType::kBigint, "bigint[]"},   Type{'r', ElementType::kDouble, "float8[]"},
    Type{'f', ElementType::kBoolean, "boolean[]"}, Type{'t', ElementType::kText, "text[]"},
    Type{'b', ElementType::kBytea, "bytea[]"},
};

Relation relation(const Listed& listed) {
  Relation made;
  made.name = listed.name;
  made.rows_at_once = listed.rows_at_once;
  std::string names;   // "a, b, c"
  std::string order;   // the keys of them
  std::string arrays;  // "$1::bigint[], $2::text[]"
  for (std::string_view rest = listed.columns; !rest.empty();) {
    const std::size_t colon = rest.find(':');
    const std::string name(rest.substr(0, colon));
    const Type& type = *std::ranges::find(kTypes, rest[colon + 1], &Type::letter);
    rest.remove_prefix(std::min(rest.size(), colon + 3));
    made.columns.push_back({name, type.element});
    const char* const comma = names.empty() ? "" : ", ";
    names += comma + name;
    arrays += comma + ("$" + std::to_string(made.columns.size()) + "::" + type.array);
    if (made.columns.size() == listed.keys) order = names;
  }
  const std::string rows = "SELECT " + names + " FROM " + made.name + " ORDER BY " + order;
  made.source = (listed.source != nullptr ? listed.source : rows) + " LIMIT -1 OFFSET ?1";
  made.insert = "INSERT INTO " + made.name + " (" + names + listed.more_columns +
                ") OVERRIDING SYSTEM VALUE SELECT *" + listed.more_values + " FROM unnest(" +
                arrays + ") AS listed (" + names + ")" + listed.on_conflict;
  const std::string cursor = "read_" + made.name;
  made.declare = "DECLARE " + cursor + " NO SCROLL CURSOR FOR " + rows;
  made.fetch = "FETCH " + std::to_string(made.rows_at_once) + " FROM " + cursor;
  return made;
}

std::string binary(sql::Row row, int column, ElementType type) {
  switch (type) {
    case ElementType::kBigint:
      return postgres::binary_number(row.number(column));
    case ElementType::kDouble:
      return postgres::binary_real(row.real(column));
    case ElementType::kBoolean:
      return postgres::binary_flag(row.flag(column));
    case ElementType::kText:
    case ElementType::kBytea:
      break;
  }
  return row.text(column);
}

}  // namespace

const std::vector<Relation>& relations() {
  static const std::vector<Relation> made = [] {
    std::vector<Relation> all;
    all.reserve(std::size(kListed));
    for (const Listed& listed : kListed) all.push_back(relation(listed));
    return all;
  }();
  return made;
}

Values values_of(sql::Row row, const Relation& relation) {
  Values values;
  for (const Column& column : relation.columns) {
    const int at = static_cast<int>(values.size());
    values.emplace_back();
    if (!row.null(at)) values.back() = binary(row, at, column.type);
  }
  return values;
}

}  // namespace tesela::store::migration
