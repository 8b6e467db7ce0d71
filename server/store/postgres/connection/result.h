// The answer to one statement, in PostgreSQL's binary format.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/core/ids.h"

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
    return Id{static_cast<typename Id::rep>(number(row, column))};
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

 private:
  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  std::unique_ptr<PGresult, Clear> result_;
};

}  // namespace tesela::store::postgres
