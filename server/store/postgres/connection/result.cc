#include "server/store/postgres/connection/result.h"

#include <bit>
#include <charconv>
#include <cstddef>

namespace tesela::store::postgres {
namespace {

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
  return number;
}

}  // namespace

std::size_t Result::changed() const {
  const std::string_view text = PQcmdTuples(result_.get());
  std::size_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

std::int64_t Result::number(int row, int column) const {
  return static_cast<std::int64_t>(big_endian(bytes(row, column)));
}

double Result::real(int row, int column) const {
  return std::bit_cast<double>(big_endian(bytes(row, column)));
}

std::string_view Result::bytes(int row, int column) const {
  return {PQgetvalue(result_.get(), row, column),
          static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

}  // namespace tesela::store::postgres
