// Statements with their parameters, in PostgreSQL's binary format, for one round trip.
#pragma once

#include <bit>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.h"

namespace tesela::store::postgres {

// Values in PostgreSQL's binary format, as parameters have them and results.

/// Appends an unsigned number with its highest byte first.
template <class Number>
void append_big_endian(std::string& bytes, Number number) {
  for (int shift = static_cast<int>(sizeof number) * 8 - 8; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(number >> shift & 0xff);
  }
}

/// bigint
[[nodiscard]] inline std::string binary_number(std::int64_t value) {
  std::string bytes;
  append_big_endian(bytes, static_cast<std::uint64_t>(value));
  return bytes;
}
/// double precision
[[nodiscard]] inline std::string binary_real(double value) {
  std::string bytes;
  append_big_endian(bytes, std::bit_cast<std::uint64_t>(value));
  return bytes;
}
/// boolean
[[nodiscard]] inline std::string binary_flag(bool value) {
  return {value ? '\1' : '\0'};
}

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
  /// An array whose elements are in PostgreSQL's binary format (above), or NULL.
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
