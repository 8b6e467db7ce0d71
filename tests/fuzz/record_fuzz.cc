// The records of a log from bytes.
#include <cstddef>
#include <cstdint>

#include "server/codec/record.h"
#include "tests/fuzz/input.h"

/// Bytes are refused with a sentence, or a record that is written and read as the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using tesela::fuzz::require;
  tesela::fuzz::Input input{data, size};
  const auto record = tesela::codec::decode_record(input.rest());
  if (!record) {
    require(record.error().code == tesela::ErrorCode::kCorrupt);
    require(!record.error().message.empty());
    return 0;
  }
  require(tesela::codec::decode_record(tesela::codec::encode(*record)) == record);
  return 0;
}
