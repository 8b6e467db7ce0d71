// What a migration carries over: the relations of FORMAT.md, and where SQLite has their rows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "server/store/postgres/connection/binary.h"
#include "server/store/sql/session/rows.h"

namespace tesela::store::migration {

struct Column {
  std::string name;  // on PostgreSQL
  postgres::ElementType type{};
};

/// A table on PostgreSQL. Rows of either database have its columns, in this order. The statements
/// are complete: connections prepare them by their addresses, which stay.
struct Relation {
  std::string name;
  std::vector<Column> columns;
  std::size_t rows_at_once{};  // by the length of a row
  /// On SQLite: all rows from the ?1-th on, from 0, in the order of the keys.
  std::string source;
  // On PostgreSQL. The first takes an array of each column; the others read in the order of the
  // keys.
  std::string insert;
  std::string declare;
  std::string fetch;
};

/// In an order in which a row comes after those that it refers to. Counts of boards are not among
/// them: they are made anew.
[[nodiscard]] const std::vector<Relation>& relations();

/// A row of either database: its values in PostgreSQL's binary format; none: NULL.
using Values = std::vector<std::optional<std::string>>;
[[nodiscard]] Values values_of(sql::Row row, const Relation& relation);

}  // namespace tesela::store::migration
