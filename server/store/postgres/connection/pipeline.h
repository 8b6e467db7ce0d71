// Statements with their parameters, in PostgreSQL's binary format, for one round trip.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.h"

namespace tesela::store::postgres {

/// The type of the elements of an array, by its number in pg_type.
enum class ElementType : std::int32_t {
  kBoolean = 16,
  kBytea = 17,
  kBigint = 20,
  kText = 25,
  kDouble = 701,
};

/// A statement with its parameters, which are added in the order $1, $2 and so on.
class Query {
 public:
  /// `sql` is one statement. Connections prepare it by its address, which must stay valid.
  explicit Query(const char* sql) : sql_(sql) {}

  /// bigint
  Query& number(std::int64_t value);
  template <class Tag, class Rep>
  Query& id(Strong<Tag, Rep> value) {
    return number(static_cast<std::int64_t>(value.value));
  }
  /// double precision
  Query& real(double value);
  /// boolean
  Query& flag(bool value);
  /// text, or bytea
  Query& bytes(std::string_view value);
  /// NULL, of any type
  Query& null();
  /// bigint[]
  Query& numbers(std::span<const std::int64_t> values);
  /// bytea[]
  Query& bytes_array(std::span<const std::string_view> values);
  /// text[]
  Query& texts(std::span<const std::string_view> values);
  /// An array whose elements are in PostgreSQL's binary format (binary.h), or NULL.
  Query& array(ElementType type, std::span<const std::optional<std::string>> values);

  [[nodiscard]] const char* sql() const { return sql_; }
  [[nodiscard]] std::span<const std::optional<std::string>> values() const { return values_; }

 private:
  const char* sql_;
  std::vector<std::optional<std::string>> values_;
};

/// The statements of one round trip. Without BEGIN they are one transaction, which commits at the
/// end.
class Pipeline {
 public:
  /// A reference to it is valid while the pipeline is.
  Query& add(const char* sql) { return queries_.emplace_back(sql); }
  [[nodiscard]] const std::deque<Query>& queries() const { return queries_; }
  [[nodiscard]] std::size_t size() const { return queries_.size(); }

 private:
  std::deque<Query> queries_;
};

/// The numbers of ids, for Query::numbers.
template <class Id>
[[nodiscard]] std::vector<std::int64_t> numbers_of(const std::vector<Id>& ids) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(ids.size());
  for (const Id id : ids) numbers.push_back(static_cast<std::int64_t>(id.value));
  return numbers;
}

}  // namespace tesela::store::postgres
