// What a migration carries over: rows, the relations of FORMAT.md, and where SQLite has their rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tesela::store::migration {

/// A row on its way from SQLite to PostgreSQL: the values in PostgreSQL's binary format
/// (postgres/connection/pipeline.h), as both sides give them; none: NULL.
using Row = std::vector<std::optional<std::string>>;

enum class Type : std::uint8_t { kNumber, kReal, kFlag, kText, kBytes };

struct Column {
  std::string name;  // on PostgreSQL
  Type type{Type::kNumber};
};

/// A table on PostgreSQL. The statements are complete: connections prepare them by their addresses,
/// which stay.
struct Relation {
  std::string name;
  std::vector<Column> columns;
  std::size_t rows_at_once{};  // by the length of a row
  /// On SQLite, of the columns: all rows from the ?1-th on, from 0, in the order of the keys.
  std::string source;
  // On PostgreSQL. The first takes an array of each column; the others read the columns in the same
  // order.
  std::string insert;
  std::string declare;
  std::string fetch;
};

/// In an order in which a row comes after those that it refers to. Counts of boards are not among
/// them: they are made anew.
[[nodiscard]] const std::vector<Relation>& relations();

}  // namespace tesela::store::migration
