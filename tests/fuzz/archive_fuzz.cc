// Packed logs from bytes.
#include <cstddef>
#include <cstdint>
#include <string>

#include "server/archive/event_coder.h"
#include "server/archive/packed_log.h"
#include "tests/fuzz/input.h"

namespace {

using tesela::fuzz::require;
namespace archive = tesela::archive;

constexpr std::size_t kTextsMax = 100'000;

/// What is decoded is written and read as the same. More records than an input has bytes can be
/// told by few bytes, each of which is bounded.
void check_events(std::string_view bytes, std::size_t count, archive::Digests digests) {
  const auto records = archive::decode_events(bytes, count, digests, kTextsMax);
  if (!records) {
    require(records.error().code == tesela::ErrorCode::kCorrupt);
    return;
  }
  require(records->size() == count);
  const std::string again = archive::encode_events(*records, digests);
  require(archive::decode_events(again, count, digests, 2 * kTextsMax) == records);
}

void check_bytes(std::string_view bytes, std::size_t count) {
  const auto records = archive::decode_bytes(bytes, count, kTextsMax);
  if (!records) return;
  require(records->size() == count && records->bytes() <= kTextsMax);
  require(archive::decode_bytes(archive::encode_bytes(*records), count, kTextsMax) == records);
}

}  // namespace

/// Two bytes say the format and the number of records; the rest is the packed log.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tesela::fuzz::Input input{data, size};
  const std::uint8_t format = input.next();
  const std::size_t count = 1 + input.next() * std::size_t{format % 4 == 3 ? 4U : 1U};
  const std::string bytes(input.rest());
  if (format % 3 == 0) check_events(bytes, count, archive::Digests::kNone);
  if (format % 3 == 1) check_events(bytes, count, archive::Digests::kCoded);
  if (format % 3 == 2) check_bytes(bytes, count);
  const archive::PackedLog packed{.format = static_cast<archive::PackedFormat>(format % 5),
                                  .events = count,
                                  .bytes = size,
                                  .hash = std::string(archive::PackedLog::kHashBytes, '\0'),
                                  .data = bytes};
  require(!archive::unpack(packed));
  return 0;
}
