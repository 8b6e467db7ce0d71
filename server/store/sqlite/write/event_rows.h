// Events on their way into the database, several rows with a statement: a third of what a row costs
// is the begin and the end of its statement.
#pragma once

#include <cstddef>
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
  EventRows(Connection& connection, std::string_view relation);

  /// Inserts `row_at(0)`, `row_at(1)` ... `row_at(count - 1)`; their records stay until it returns.
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

  static void bind(Statement& statement, std::size_t place, const Row& row);

  Statement several_;
  Statement one_;
};

}  // namespace tesela::store
