// Values in PostgreSQL's binary format, as parameters have them and results.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace tesela::store::postgres {

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

}  // namespace tesela::store::postgres
