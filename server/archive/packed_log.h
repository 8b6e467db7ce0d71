// The log of a finished game in few bytes: what a row of `archives` holds (server/store/FORMAT.md,
// "Packed logs"). Depends on no rules of games. Pure: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/archive/record_list.h"

namespace tesela::archive {

/// How a log is packed. The number is stored.
enum class PackedFormat : std::uint8_t {
  kColumns = 4,  // zstd frames of tesela.log.v1.PackedEvents; 1 to 3: before the first release
};

struct PackedLog {
  PackedFormat format{PackedFormat::kColumns};
  std::uint64_t events{};
  std::uint64_t bytes{};  // of the records that `unpack` returns
  std::string hash;       // the first kHashBytes of their RecordList::hash
  std::string data;

  static constexpr std::size_t kHashBytes = 16;

  friend bool operator==(const PackedLog&, const PackedLog&) = default;
};

/// Packs the records of versions 1, 2, 3 …, without the digests of the positions but the last.
/// Unpacks them once to verify it. Error: kInvalidArgument for an empty log, for one above
/// limits::kArchiveEventsMax or limits::kArchiveBytesMax, and for records that are not as
/// codec::encode writes them, or more than one Created.
[[nodiscard]] Expected<PackedLog> pack(const RecordList& records);

/// The records, whose digests are 0 but for the last. Takes bytes of any origin. Error: kCorrupt
/// when they do not lead to records with this number, size and hash.
[[nodiscard]] Expected<RecordList> unpack(const PackedLog& packed);

/// Likewise the records from a version on, at most `max`. Unpacks the blocks that they are in, so
/// that it takes time for these alone, and verifies the checksums of these blocks.
[[nodiscard]] Expected<RecordList> unpack(const PackedLog& packed, Version from, std::size_t max);

}  // namespace tesela::archive
