// Values in PostgreSQL's binary format, as parameters have them and rows.
#pragma once

#include <libpq-fe.h>

#include <bit>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/sql/session/batch.h"
#include "server/store/sql/session/rows.h"

namespace tesela::store::postgres {

using sql::Batch;
using sql::Query;
using sql::Row;
using sql::Rows;
using sql::Text;

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

/// bigint[], for Query::encoded
[[nodiscard]] std::string binary_array(std::span<const std::int64_t> values);
/// bytea[] or text[], for Query::encoded
[[nodiscard]] std::string binary_array(ElementType type, std::span<const std::string_view> values);
/// An array whose elements are in the binary format already, or NULL.
[[nodiscard]] std::string binary_array(ElementType type,
                                       std::span<const std::optional<std::string>> values);

/// The parameters of a statement, as libpq takes them. The query outlives them.
class Parameters {
 public:
  explicit Parameters(const Query& query);

  [[nodiscard]] int size() const { return static_cast<int>(values_.size()); }
  [[nodiscard]] const char* const* values() const { return values_.data(); }
  [[nodiscard]] const int* lengths() const { return lengths_.data(); }
  [[nodiscard]] const int* formats() const { return formats_.data(); }

 private:
  void add(const sql::Value& value);
  void add_bytes(std::string_view bytes);

  std::deque<std::string> encoded_;
  std::vector<const char*> values_;
  std::vector<int> lengths_;
  std::vector<int> formats_;
};

/// The rows of a result, which they own.
[[nodiscard]] Rows rows_of(PGresult* result);

}  // namespace tesela::store::postgres
