// Statements with their parameters, for either database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/ids.h"

namespace tesela::store::sql {

/// One statement, which databases prepare by its address: it must stay valid. It is written in
/// PostgreSQL's dialect; `sqlite_text` makes SQLite's of it. Where the two have to ask in different
/// ways, it has a text for each.
struct Text {
  // Implicit: most statements are one string.
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Text(const char* both) : postgres(both), sqlite(both) {}
  constexpr Text(const char* postgres_text, const char* sqlite_of_its_own)
      : postgres(postgres_text), sqlite(sqlite_of_its_own) {}

  const char* postgres;
  const char* sqlite;
};

/// A statement in SQLite's dialect: parameters as ?1 instead of $1, max() of several
/// values instead of greatest(), `IN` a list that is bound as JSON instead of `= ANY`
/// of an array, no casts with `::`, and no locks of rows, because one transaction writes at a time.
[[nodiscard]] std::string sqlite_text(std::string_view statement);

/// A text, or bytes: PostgreSQL knows which it expects, SQLite has to be told.
struct TextValue {
  std::string value;
};
struct BytesValue {
  std::string value;
};
/// In the database's own format (postgres/connection/binary.h).
struct EncodedValue {
  std::string value;
};
using Value = std::variant<std::monostate, std::int64_t, double, bool, TextValue, BytesValue,
                           std::vector<std::int64_t>, EncodedValue>;

/// A statement with its parameters, which are added in the order $1, $2 and so on.
class Query {
 public:
  explicit Query(Text sql) : sql_(sql) {}

  /// bigint
  Query& number(std::int64_t value) { return add(value); }
  template <class Tag, class Rep>
  Query& id(Strong<Tag, Rep> value) {
    return number(static_cast<std::int64_t>(value.value));
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  Query& one_of(Enum value) {
    return number(static_cast<std::int64_t>(value));
  }
  Query& number_or_null(std::optional<std::int64_t> value) {
    return value ? number(*value) : null();
  }
  template <class Id>
  Query& id_or_null(std::optional<Id> value) {
    return value ? id(*value) : null();
  }
  Query& count(std::size_t value) { return number(static_cast<std::int64_t>(value)); }
  /// double precision
  Query& real(double value) { return add(value); }
  /// boolean
  Query& flag(bool value) { return add(value); }
  Query& text(std::string_view value) { return add(TextValue{std::string(value)}); }
  /// bytea
  Query& bytes(std::string_view value) { return add(BytesValue{std::string(value)}); }
  /// NULL, of any type
  Query& null() { return add(std::monostate{}); }
  /// bigint[]
  Query& numbers(std::vector<std::int64_t> values) { return add(std::move(values)); }
  template <class Id>
  Query& ids(const std::vector<Id>& ids) {
    std::vector<std::int64_t> values;
    values.reserve(ids.size());
    for (const Id id : ids) values.push_back(static_cast<std::int64_t>(id.value));
    return numbers(std::move(values));
  }
  Query& encoded(std::string value) { return add(EncodedValue{std::move(value)}); }

  [[nodiscard]] const Text& sql() const { return sql_; }
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }

 private:
  Query& add(Value value) {
    values_.push_back(std::move(value));
    return *this;
  }

  Text sql_;
  std::vector<Value> values_;
};

/// Statements that are sent together.
class Batch {
 public:
  Batch() = default;
  explicit Batch(Query query) { add(std::move(query)); }

  /// A reference to it is valid while the batch is.
  Query& add(Text sql) { return queries_.emplace_back(sql); }
  void add(Query query) { queries_.push_back(std::move(query)); }
  Query& add_first(Text sql) { return queries_.emplace_front(sql); }
  void append(const Batch& other) {
    queries_.insert(queries_.end(), other.queries_.begin(), other.queries_.end());
  }
  [[nodiscard]] const std::deque<Query>& queries() const { return queries_; }
  [[nodiscard]] std::size_t size() const { return queries_.size(); }

 private:
  std::deque<Query> queries_;
};

}  // namespace tesela::store::sql
