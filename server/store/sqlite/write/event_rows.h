// Inserts events, several rows with each statement: beginning and ending a statement is a third of
// the cost of a row.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/core/ids.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// Inserts into one relation with the columns table_id, version and record.
class EventRows {
 public:
  struct Row {
    TableId table;
    Version version;
    std::string_view record;
  };

  /// The connection outlives it.
  EventRows(Connection& connection, std::string_view relation)
      : several_(connection, insertion(relation, kRowsOfStatement)),
        one_(connection, insertion(relation, 1)) {}

  /// Inserts `row_at(0)`, `row_at(1)` ... `row_at(count - 1)`; their records must stay valid until
  /// it returns.
  /// Throws StorageError.
  template <class RowAt>
  void insert(std::size_t count, RowAt&& row_at) {
    std::size_t done = 0;
    while (count - done >= kRowsOfStatement) {
      for (std::size_t i = 0; i < kRowsOfStatement; ++i) bind(several_, i, row_at(done + i));
      several_.run();
      done += kRowsOfStatement;
    }
    for (; done < count; ++done) {
      bind(one_, 0, row_at(done));
      one_.run();
    }
  }

 private:
  static constexpr std::size_t kRowsOfStatement = 8;

  static std::string insertion(std::string_view relation, std::size_t rows) {
    std::string sql =
        "INSERT INTO " + std::string(relation) + " (table_id, version, record) VALUES ";
    for (std::size_t i = 0; i < rows; ++i) sql += i == 0 ? "(?, ?, ?)" : ", (?, ?, ?)";
    return sql;
  }

  static void bind(Statement& statement, std::size_t place, const Row& row) {
    const int first = static_cast<int>(3 * place) + 1;
    statement.bind(first, row.table).bind(first + 1, row.version).bind_blob(first + 2, row.record);
  }

  Statement several_;
  Statement one_;
};

}  // namespace tesela::store
