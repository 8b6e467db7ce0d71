// The log of a finished game in few bytes: what a row of `archives` holds (server/store/FORMAT.md,
// "Packed logs"). Pure: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/core/result.h"
#include "server/archive/record_list.h"

namespace tesela::archive {

/// How a log is packed. The numbers are stored.
enum class PackedFormat : std::uint8_t {
  kBytes = 1,     // records of any bytes
  kFields = 2,    // by the fields of tesela.log.v1.Record
  kExecuted = 3,  // likewise, without the digests: the game is executed to compute them
};

struct PackedLog {
  PackedFormat format{};
  std::uint64_t events{};
  std::uint64_t bytes{};  // of the records
  std::string hash;       // the first kHashBytes of RecordList::hash
  std::string data;

  static constexpr std::size_t kHashBytes = 16;

  friend bool operator==(const PackedLog&, const PackedLog&) = default;
};

/// Packs the records of versions 1, 2, 3 … in the smallest format that gives back the same bytes,
/// which it verifies by unpacking. Error: kInvalidArgument for an empty log, and for one above
/// limits::kArchiveEventsMax or limits::kArchiveBytesMax.
[[nodiscard]] Expected<PackedLog> pack(const RecordList& records);

/// The records. Takes bytes of any origin. Error: kCorrupt when they do not lead to records with
/// this number, size and hash.
[[nodiscard]] Expected<RecordList> unpack(const PackedLog& packed);

}  // namespace tesela::archive
