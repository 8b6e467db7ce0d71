// Packed logs from bytes.
#include <tesela/log/v1/packed.pb.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "server/archive/columns.h"
#include "server/archive/packed_log.h"
#include "tests/fuzz/input.h"

namespace {

using tesela::fuzz::require;
namespace archive = tesela::archive;

/// What columns say is written and read as the same.
void check_columns(const std::string& bytes, tesela::Version first, std::size_t count) {
  tesela::log::v1::PackedEvents columns;
  if (!columns.ParseFromString(bytes)) return;
  const auto records = archive::from_columns(columns, first, count);
  if (!records) return;
  require(records->size() == count);
  require(archive::from_columns(archive::to_columns(*records, first), first, count) == records);
}

}  // namespace

/// A byte says the number of records and whether the first of them is a block's; the rest is the
/// packed log.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tesela::fuzz::Input input{data, size};
  const std::uint8_t count = input.next();
  const std::string bytes(input.rest());
  check_columns(bytes, tesela::Version{1U + count % 2U}, count / 2U);
  const archive::PackedLog packed{.events = count,
                                  .bytes = size,
                                  .hash = std::string(archive::PackedLog::kHashBytes, '\0'),
                                  .data = bytes};
  require(!archive::unpack(packed));
  const auto page = archive::unpack(packed, tesela::Version{1}, count);
  if (page) require(page->size() == count);
  return 0;
}
