// What a statement answers with, from either database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tesela::store::sql {

/// A row holds a number that no server has written. Other rows can be read and written.
class DamagedRow : public std::runtime_error {
 public:
  DamagedRow() : std::runtime_error("a row holds a number that nobody has written") {}
};

/// The rows as a database keeps them. Rows and columns count from 0.
class RowSource {
 public:
  virtual ~RowSource() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;
  /// How many rows the statement has inserted, changed or deleted.
  [[nodiscard]] virtual std::size_t changed() const = 0;
  [[nodiscard]] virtual bool null(std::size_t row, int column) const = 0;
  [[nodiscard]] virtual std::int64_t number(std::size_t row, int column) const = 0;
  [[nodiscard]] virtual double real(std::size_t row, int column) const = 0;
  /// Valid while the source is.
  [[nodiscard]] virtual std::string_view bytes(std::size_t row, int column) const = 0;

 protected:
  RowSource() = default;
  RowSource(RowSource&&) = default;
  RowSource& operator=(RowSource&&) = default;
};

/// One of Rows, which outlive it.
class Row {
 public:
  Row(const RowSource& source, std::size_t row) : source_(&source), row_(row) {}

  [[nodiscard]] bool null(int column) const { return source_->null(row_, column); }
  /// bigint
  [[nodiscard]] std::int64_t number(int column) const { return source_->number(row_, column); }
  [[nodiscard]] std::optional<std::int64_t> number_or_none(int column) const {
    return null(column) ? std::nullopt : std::optional(number(column));
  }
  /// boolean
  [[nodiscard]] bool flag(int column) const { return number(column) != 0; }
  /// double precision
  [[nodiscard]] double real(int column) const { return source_->real(row_, column); }
  /// text, or bytea; empty for NULL. Valid while the rows are.
  [[nodiscard]] std::string_view bytes(int column) const { return source_->bytes(row_, column); }
  [[nodiscard]] std::string text(int column) const { return std::string(bytes(column)); }
  /// A small integer. Throws DamagedRow for any other number.
  template <class Small>
  [[nodiscard]] Small small(int column) const {
    using Limits = std::numeric_limits<Small>;
    return within(number(column), Limits::min(), Limits::max());
  }
  /// An enumeration from `least` to `greatest`. Throws DamagedRow for any other number.
  template <class Enum>
  [[nodiscard]] Enum one_of(int column, Enum least, Enum greatest) const {
    return static_cast<Enum>(
        within(number(column), std::to_underlying(least), std::to_underlying(greatest)));
  }
  template <class Id>
  [[nodiscard]] Id id(int column) const {
    using Rep = typename Id::rep;
    if constexpr (sizeof(Rep) < sizeof(std::int64_t)) {
      return Id{small<Rep>(column)};
    } else {
      return Id{static_cast<Rep>(number(column))};
    }
  }
  template <class Id>
  [[nodiscard]] std::optional<Id> id_or_none(int column) const {
    return null(column) ? std::nullopt : std::optional(id<Id>(column));
  }

 private:
  template <class Small>
  static Small within(std::int64_t number, Small least, Small greatest) {
    if (std::cmp_less(number, least) || std::cmp_greater(number, greatest)) throw DamagedRow();
    return static_cast<Small>(number);
  }

  const RowSource* source_;
  std::size_t row_;
};

/// The rows of one answer.
class Rows {
 public:
  class Iterator {
   public:
    Iterator(const RowSource& source, std::size_t row) : source_(&source), row_(row) {}
    Row operator*() const { return {*source_, row_}; }
    Iterator& operator++() {
      ++row_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return row_ == other.row_; }

   private:
    const RowSource* source_;
    std::size_t row_;
  };

  explicit Rows(std::unique_ptr<const RowSource> source) : source_(std::move(source)) {}

  [[nodiscard]] std::size_t size() const { return source_->size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t changed() const { return source_->changed(); }
  [[nodiscard]] Row operator[](std::size_t row) const { return {*source_, row}; }
  [[nodiscard]] Iterator begin() const { return {*source_, 0}; }
  [[nodiscard]] Iterator end() const { return {*source_, size()}; }
  /// What `read` makes of each row, in order.
  template <class Read>
  [[nodiscard]] auto map(Read&& read) const {
    std::vector<std::invoke_result_t<Read, Row>> values;
    values.reserve(size());
    for (const Row row : *this) values.push_back(read(row));
    return values;
  }
  /// The ids in the first column.
  template <class Id>
  [[nodiscard]] std::vector<Id> ids() const {
    return map([](Row row) { return row.id<Id>(0); });
  }

 private:
  std::unique_ptr<const RowSource> source_;
};

}  // namespace tesela::store::sql
