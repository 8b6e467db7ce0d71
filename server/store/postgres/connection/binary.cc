#include "server/store/postgres/connection/binary.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <type_traits>
#include <variant>

namespace tesela::store::postgres {
namespace {

void append_number(std::string& bytes, std::int32_t number) {
  append_big_endian(bytes, static_cast<std::uint32_t>(number));
}

/// Of one dimension. `append` writes an element with its length.
template <class Append>
std::string array_of(ElementType type, std::size_t count, Append append, bool has_nulls = false) {
  std::string bytes;
  append_number(bytes, count == 0 ? 0 : 1);  // dimensions
  append_number(bytes, has_nulls ? 1 : 0);
  append_number(bytes, static_cast<std::int32_t>(type));
  if (count == 0) return bytes;
  append_number(bytes, static_cast<std::int32_t>(count));
  append_number(bytes, 1);  // the first index
  for (std::size_t i = 0; i < count; ++i) append(bytes, i);
  return bytes;
}

class ResultRows final : public sql::RowSource {
 public:
  explicit ResultRows(PGresult* result) : result_(result) {}

  [[nodiscard]] std::size_t size() const override {
    return static_cast<std::size_t>(PQntuples(result_.get()));
  }
  [[nodiscard]] std::size_t changed() const override {
    const std::string_view text = PQcmdTuples(result_.get());
    std::size_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
  }
  [[nodiscard]] bool null(std::size_t row, int column) const override {
    return PQgetisnull(result_.get(), static_cast<int>(row), column) == 1;
  }
  [[nodiscard]] std::int64_t number(std::size_t row, int column) const override {
    return static_cast<std::int64_t>(big_endian(row, column));
  }
  [[nodiscard]] double real(std::size_t row, int column) const override {
    return std::bit_cast<double>(big_endian(row, column));
  }
  [[nodiscard]] std::string_view bytes(std::size_t row, int column) const override {
    const int at = static_cast<int>(row);
    return {PQgetvalue(result_.get(), at, column),
            static_cast<std::size_t>(PQgetlength(result_.get(), at, column))};
  }

 private:
  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };

  [[nodiscard]] std::uint64_t big_endian(std::size_t row, int column) const {
    std::uint64_t number = 0;
    for (const char byte : bytes(row, column)) {
      number = number << 8U | static_cast<unsigned char>(byte);
    }
    return number;
  }

  std::unique_ptr<PGresult, Clear> result_;
};

}  // namespace

std::string binary_array(std::span<const std::int64_t> values) {
  return array_of(ElementType::kBigint, values.size(), [&](std::string& bytes, std::size_t i) {
    append_number(bytes, sizeof values[i]);
    append_big_endian(bytes, static_cast<std::uint64_t>(values[i]));
  });
}

std::string binary_array(ElementType type, std::span<const std::string_view> values) {
  return array_of(type, values.size(), [&](std::string& bytes, std::size_t i) {
    append_number(bytes, static_cast<std::int32_t>(values[i].size()));
    bytes += values[i];
  });
}

std::string binary_array(ElementType type, std::span<const std::optional<std::string>> values) {
  constexpr std::int32_t kNull = -1;
  const auto append = [&](std::string& bytes, std::size_t i) {
    append_number(bytes, values[i] ? static_cast<std::int32_t>(values[i]->size()) : kNull);
    if (values[i]) bytes += *values[i];
  };
  const bool has_nulls =
      std::ranges::any_of(values, [](const auto& value) { return !value.has_value(); });
  return array_of(type, values.size(), append, has_nulls);
}

Parameters::Parameters(const Query& query) {
  for (const sql::Value& value : query.values()) add(value);
  formats_.assign(values_.size(), 1);
}

void Parameters::add(const sql::Value& value) {
  std::visit(
      [this]<class T>(const T& held) {
        if constexpr (std::is_same_v<T, std::monostate>) {
          values_.push_back(nullptr);
          lengths_.push_back(0);
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          add_bytes(encoded_.emplace_back(binary_number(held)));
        } else if constexpr (std::is_same_v<T, double>) {
          add_bytes(encoded_.emplace_back(binary_real(held)));
        } else if constexpr (std::is_same_v<T, bool>) {
          add_bytes(encoded_.emplace_back(binary_flag(held)));
        } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
          add_bytes(encoded_.emplace_back(binary_array(held)));
        } else {
          add_bytes(held.value);
        }
      },
      value);
}

void Parameters::add_bytes(std::string_view bytes) {
  values_.push_back(bytes.data());
  lengths_.push_back(static_cast<int>(bytes.size()));
}

Rows rows_of(PGresult* result) {
  return Rows(std::make_unique<ResultRows>(result));
}

}  // namespace tesela::store::postgres
