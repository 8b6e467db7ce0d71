// The events of one game to and from few bytes (server/store/FORMAT.md, "Packed logs"). Pure: any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "server/archive/record_list.h"
#include "server/codec/record.h"

namespace tesela::archive {

/// Whether the digests of the positions are coded, at eight bytes each; otherwise they are 0.
enum class Digests : std::uint8_t { kNone, kCoded };

/// The records of a game from version 1 on, the first of them a Created and no other.
[[nodiscard]] std::string encode_events(std::span<const codec::Record> records, Digests digests);
/// The other way. Error: kCorrupt for bytes that `encode_events` does not write for so many
/// records, and where the texts of the records take more than `bytes_max`.
[[nodiscard]] Expected<std::vector<codec::Record>> decode_events(std::string_view bytes,
                                                                 std::size_t count, Digests digests,
                                                                 std::size_t bytes_max);

/// Records of any bytes: larger, and without knowledge of what they mean.
[[nodiscard]] std::string encode_bytes(const RecordList& records);
[[nodiscard]] Expected<RecordList> decode_bytes(std::string_view bytes, std::size_t count,
                                                std::size_t bytes_max);

}  // namespace tesela::archive
