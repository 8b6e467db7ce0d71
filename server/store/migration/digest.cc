#include "server/store/migration/digest.h"

#include <cstdint>

#include "server/store/postgres/connection/binary.h"

namespace tesela::store::migration {

void Digest::add(const Row& row) {
  constexpr std::int64_t kNull = -1;
  std::string bytes(digest_.begin(), digest_.end());
  for (const auto& value : row) {
    bytes += postgres::binary_number(value ? static_cast<std::int64_t>(value->size()) : kNull);
    if (value) bytes += *value;
  }
  digest_ = base::sha256(bytes);
}

std::string Digest::text() const {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest_) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

}  // namespace tesela::store::migration
