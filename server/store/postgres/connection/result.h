// The answer to one statement, in PostgreSQL's binary format.
#pragma once

#include <libpq-fe.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/core/ids.h"
#include "server/store/narrowed.h"
#include "server/store/postgres/connection/failure.h"

namespace tesela::store::postgres {

/// Rows and columns count from 0.
class Result {
 public:
  /// Takes ownership.
  explicit Result(PGresult* result) : result_(result) {}

  [[nodiscard]] int rows() const { return PQntuples(result_.get()); }
  /// The number of rows that the statement has inserted, changed or deleted.
  [[nodiscard]] std::size_t changed() const;

  /// bigint
  [[nodiscard]] std::int64_t number(int row, int column) const;
  template <class Id>
  [[nodiscard]] Id id(int row, int column) const {
    using Rep = typename Id::rep;
    if constexpr (sizeof(Rep) < sizeof(std::int64_t)) {
      return Id{found(narrowed<Rep>(number(row, column)))};
    } else {
      return Id{static_cast<Rep>(number(row, column))};
    }
  }
  /// An enumeration from `least` to `greatest`. Any other number is thrown as damage.
  template <class Enum>
  [[nodiscard]] Enum one_of(int row, int column, Enum least, Enum greatest) const {
    return found(narrowed(number(row, column), least, greatest));
  }
  /// A small integer. Any other number is thrown as damage.
  template <class Small>
  [[nodiscard]] Small small(int row, int column) const {
    return found(narrowed<Small>(number(row, column)));
  }
  /// double precision
  [[nodiscard]] double real(int row, int column) const;
  /// boolean
  [[nodiscard]] bool flag(int row, int column) const { return bytes(row, column) == "\1"; }
  /// text, or bytea; valid while the result is.
  [[nodiscard]] std::string_view bytes(int row, int column) const;
  [[nodiscard]] std::string text(int row, int column) const {
    return std::string(bytes(row, column));
  }
  [[nodiscard]] bool null(int row, int column) const {
    return PQgetisnull(result_.get(), row, column) == 1;
  }
  /// The first column of all rows. T: std::int64_t (bigint), an id (bigint), or std::string (text,
  /// or bytea).
  template <class T>
  [[nodiscard]] std::vector<T> column() const {
    std::vector<T> values;
    values.reserve(static_cast<std::size_t>(rows()));
    for (int row = 0; row < rows(); ++row) {
      if constexpr (std::is_same_v<T, std::string>) {
        values.push_back(text(row, 0));
      } else if constexpr (std::is_same_v<T, std::int64_t>) {
        values.push_back(number(row, 0));
      } else {
        values.push_back(id<T>(row, 0));
      }
    }
    return values;
  }

 private:
  template <class T>
  static T found(std::optional<T> value) {
    if (!value) throw Failure::damaged_row("a row holds a number that nobody has written");
    return *value;
  }

  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  std::unique_ptr<PGresult, Clear> result_;
};

}  // namespace tesela::store::postgres
