// What went wrong on a connection to PostgreSQL.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace tesela::store::postgres {

/// A refused statement, or a lost connection. It does not leave this folder: PostgresStore converts
/// it to an Error.
class Failure : public std::runtime_error {
 public:
  /// A refused statement: its transaction is aborted, and the connection can be used.
  Failure(std::string state, std::string constraint, const std::string& what)
      : std::runtime_error(what), state_(std::move(state)), constraint_(std::move(constraint)) {}
  /// The connection is lost: whether the transaction in flight was committed is unknown.
  static Failure lost(const std::string& what) {
    Failure failure({}, {}, what);
    failure.lost_ = true;
    return failure;
  }

  /// A constraint that the operation did not expect to violate.
  static Failure violated(const std::string& what) { return {"23000", {}, what}; }
  /// A row that this server cannot have written.
  static Failure damaged_row(const std::string& what) { return {kDamagedRow, {}, what}; }

  [[nodiscard]] bool is_lost() const { return lost_; }
  /// Another transaction was in the way: the same one may succeed now. Two games that are the first
  /// ones of a player insert the same rating.
  [[nodiscard]] bool is_conflict() const {
    return state_ == "40P01" || state_ == "40001" || constraint_ == "ratings_pkey";
  }
  /// A value of the request cannot be stored or computed with, such as a text with a NUL: the
  /// database is in order.
  [[nodiscard]] bool is_value() const { return state_.starts_with("22"); }
  /// A page or an index of the database is damaged.
  [[nodiscard]] bool is_damage() const {
    return state_ == "XX001" || state_ == "XX002" || is_damaged_row();
  }
  /// Other rows can be read and written.
  [[nodiscard]] bool is_damaged_row() const { return state_ == kDamagedRow; }
  /// A prepared statement of this session is not there, or one of another's is: a pooler mixes the
  /// statements of sessions.
  [[nodiscard]] bool is_of_pooler() const { return state_ == "26000" || state_ == "42P05"; }
  /// A constraint was violated.
  [[nodiscard]] bool is_constraint() const { return state_.starts_with("23"); }
  [[nodiscard]] bool is_foreign_key() const { return state_ == "23503"; }
  [[nodiscard]] bool is_unique() const { return state_ == "23505"; }
  /// The name of the constraint; empty for other failures.
  [[nodiscard]] const std::string& constraint() const { return constraint_; }

 private:
  static constexpr const char* kDamagedRow = "TS001";  // a state of our own

  std::string state_;  // SQLSTATE
  std::string constraint_;
  bool lost_{};
};

}  // namespace tesela::store::postgres
