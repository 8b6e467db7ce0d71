#include "server/store/postgres/connection/pipeline.h"

#include <bit>
#include <memory>

namespace tesela::store::postgres {
namespace {

// The numbers of types in pg_type.
constexpr std::int32_t kBytea = 17;
constexpr std::int32_t kBigint = 20;
constexpr std::int32_t kText = 25;

template <class Number>
void append_big_endian(std::string& bytes, Number number) {
  for (int shift = static_cast<int>(sizeof number) * 8 - 8; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(number >> shift & 0xff);
  }
}

void append_number(std::string& bytes, std::int32_t number) {
  append_big_endian(bytes, static_cast<std::uint32_t>(number));
}

/// Of one dimension, without NULLs. `append` writes an element with its length.
template <class Append>
std::string array_of(std::int32_t type, std::size_t count, Append append) {
  std::string bytes;
  append_number(bytes, count == 0 ? 0 : 1);  // dimensions
  append_number(bytes, 0);                   // no NULLs
  append_number(bytes, type);
  if (count == 0) return bytes;
  append_number(bytes, static_cast<std::int32_t>(count));
  append_number(bytes, 1);  // the first index
  for (std::size_t i = 0; i < count; ++i) append(bytes, i);
  return bytes;
}

std::string strings(std::int32_t type, std::span<const std::string_view> values) {
  return array_of(type, values.size(), [&](std::string& bytes, std::size_t i) {
    append_number(bytes, static_cast<std::int32_t>(values[i].size()));
    bytes += values[i];
  });
}

}  // namespace

Query& Query::number(std::int64_t value) {
  append_big_endian(values_.emplace_back(std::in_place).value(), static_cast<std::uint64_t>(value));
  return *this;
}

Query& Query::real(double value) {
  append_big_endian(values_.emplace_back(std::in_place).value(),
                    std::bit_cast<std::uint64_t>(value));
  return *this;
}

Query& Query::flag(bool value) {
  values_.emplace_back(std::string(1, value ? '\1' : '\0'));
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
  values_.emplace_back(array_of(kBigint, values.size(), [&](std::string& bytes, std::size_t i) {
    append_number(bytes, sizeof values[i]);
    append_big_endian(bytes, static_cast<std::uint64_t>(values[i]));
  }));
  return *this;
}

Query& Query::bytes_array(std::span<const std::string_view> values) {
  values_.emplace_back(strings(kBytea, values));
  return *this;
}

Query& Query::texts(std::span<const std::string_view> values) {
  values_.emplace_back(strings(kText, values));
  return *this;
}

}  // namespace tesela::store::postgres
