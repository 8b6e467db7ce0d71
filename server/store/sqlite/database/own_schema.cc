#include "server/store/sqlite/database/own_schema.h"

#include <map>
#include <string>
#include <utility>

#include "server/store/sqlite/database/schema.h"

namespace tesela::store {
namespace {

// Of a table its columns: the text of one that was upgraded differs. What SQLite makes itself for
// unique columns and statistics is left out.
constexpr const char* kParts =
    "SELECT type || ' ' || name, CASE type WHEN 'table' THEN"
    "   (SELECT group_concat(format('%s %s %d %d %d', name, type, \"notnull\", pk, hidden), ',')"
    "     FROM pragma_table_xinfo(part.name))"
    "  ELSE coalesce(sql, '') END"
    " FROM sqlite_schema AS part"
    " WHERE NOT (type IN ('table', 'index') AND name LIKE 'sqlite\\_%' ESCAPE '\\')";

/// Kind and name, and what defines it.
using Parts = std::map<std::string, std::string>;

Parts parts_of(Connection& connection) {
  Parts parts;
  Statement(connection, kParts).each_row([&](sql::Row row) {
    parts.emplace(row.text(0), row.text(1));
  });
  return parts;
}

Parts own_parts(std::int64_t version) {
  Connection made = Connection::in_memory();
  create_schema(made, version);
  return parts_of(made);
}

/// "the trigger x is not Tesela's"; empty: nothing differs.
std::string difference(const Parts& found, const Parts& expected) {
  for (const auto& [part, definition] : found) {
    const auto own = expected.find(part);
    if (own == expected.end()) return "the " + part + " is not Tesela's";
    if (own->second != definition) return "the " + part + " was changed";
  }
  for (const auto& [part, definition] : expected) {
    if (!found.contains(part)) return "the " + part + " is missing";
  }
  return {};
}

}  // namespace

Expected<void> expect_own_schema(Connection& connection, const std::filesystem::path& database) {
  const std::string what =
      difference(parts_of(connection), own_parts(connection.number("PRAGMA user_version")));
  if (what.empty()) return {};
  return refuse(ErrorCode::kCorrupt, "The database " + database.string() +
                                         " does not have the schema of Tesela: " + what +
                                         ". It was not copied; whoever has changed it can put "
                                         "that right with SQLite's own program.");
}

}  // namespace tesela::store
