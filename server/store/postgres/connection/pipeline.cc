#include "server/store/postgres/connection/pipeline.h"

#include <algorithm>

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

std::string strings(ElementType type, std::span<const std::string_view> values) {
  return array_of(type, values.size(), [&](std::string& bytes, std::size_t i) {
    append_number(bytes, static_cast<std::int32_t>(values[i].size()));
    bytes += values[i];
  });
}

}  // namespace

Query& Query::number(std::int64_t value) {
  values_.emplace_back(binary_number(value));
  return *this;
}

Query& Query::real(double value) {
  values_.emplace_back(binary_real(value));
  return *this;
}

Query& Query::flag(bool value) {
  values_.emplace_back(binary_flag(value));
  return *this;
}

Query& Query::bytes(std::string_view value) {
  values_.emplace_back(std::string(value));
  return *this;
}

Query& Query::null() {
  values_.emplace_back(std::nullopt);
  return *this;
}

Query& Query::numbers(std::span<const std::int64_t> values) {
  values_.emplace_back(
      array_of(ElementType::kBigint, values.size(), [&](std::string& bytes, std::size_t i) {
        append_number(bytes, sizeof values[i]);
        append_big_endian(bytes, static_cast<std::uint64_t>(values[i]));
      }));
  return *this;
}

Query& Query::bytes_array(std::span<const std::string_view> values) {
  values_.emplace_back(strings(ElementType::kBytea, values));
  return *this;
}

Query& Query::texts(std::span<const std::string_view> values) {
  values_.emplace_back(strings(ElementType::kText, values));
  return *this;
}

Query& Query::array(ElementType type, std::span<const std::optional<std::string>> values) {
  constexpr std::int32_t kNull = -1;
  const auto append = [&](std::string& bytes, std::size_t i) {
    append_number(bytes, values[i] ? static_cast<std::int32_t>(values[i]->size()) : kNull);
    if (values[i]) bytes += *values[i];
  };
  const bool has_nulls =
      std::ranges::any_of(values, [](const auto& value) { return !value.has_value(); });
  values_.emplace_back(array_of(type, values.size(), append, has_nulls));
  return *this;
}

}  // namespace tesela::store::postgres
