#include "server/store/sqlite/write/event_rows.h"

#include <string>

namespace tesela::store {
namespace {

std::string insertion(std::string_view relation, std::size_t rows) {
  std::string sql = "INSERT INTO " + std::string(relation) + " (table_id, version, record) VALUES ";
  for (std::size_t i = 0; i < rows; ++i) sql += i == 0 ? "(?, ?, ?)" : ", (?, ?, ?)";
  return sql;
}

}  // namespace

EventRows::EventRows(Connection& connection, std::string_view relation)
    : several_(connection, insertion(relation, kRowsOfStatement)),
      one_(connection, insertion(relation, 1)) {}

void EventRows::bind(Statement& statement, std::size_t place, const Row& row) {
  const int first = static_cast<int>(3 * place) + 1;
  statement.bind(first, row.table).bind(first + 1, row.version).bind_blob(first + 2, row.record);
}

}  // namespace tesela::store
