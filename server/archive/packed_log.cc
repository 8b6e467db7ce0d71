#include "server/archive/packed_log.h"

#include <tesela/log/v1/packed.pb.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/archive/columns.h"
#include "server/base/bytes.h"
#include "server/base/store_limits.h"
#include "server/codec/record.h"

extern "C" const tesela::base::EmbeddedFile tesela_archive_dictionary_begin[];

namespace tesela::archive {
namespace {

/// Events of a block: part of the format. One block is unpacked to read a page of the log.
constexpr std::size_t kBlockEvents = 512;
/// The columns of a block take no more. A log with a larger block is not packed.
constexpr std::size_t kBlockBytesMax = 2 * 1024 * 1024;
constexpr int kLevel = 19;

std::unexpected<Error> damaged() {
  return refuse(ErrorCode::kCorrupt, "A packed log is damaged.");
}

std::string hash_of(const RecordList& records) {
  const base::Sha256 hash = records.hash();
  return {hash.begin(), hash.begin() + PackedLog::kHashBytes};
}

/// The values of the records, if they have no other encoding than these bytes, and one Created, at
/// the beginning.
std::optional<std::vector<codec::Record>> values_of(const RecordList& records) {
  std::vector<codec::Record> values;
  values.reserve(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    auto value = codec::decode_record(records[i]);
    if (!value || codec::encode(*value) != records[i]) return std::nullopt;
    if (std::holds_alternative<codec::Created>(value->event) != (i == 0)) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return values;
}

/// What frames refer to: part of the format. FORMAT.md says how it was made.
std::string_view dictionary() {
  const base::EmbeddedFile& file = *tesela_archive_dictionary_begin;
  return {file.begin, file.end};
}

/// A frame with a checksum and the size of its content; empty if zstd fails.
std::string compressed(std::string_view content) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_dictIDFlag, 0);
  ZSTD_CCtx_loadDictionary(context.get(), dictionary().data(), dictionary().size());
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), frame.data(), frame.size(), content.data(), content.size());
  frame.resize(ZSTD_isError(size) != 0 ? 0 : size);
  return frame;
}

/// The other way; empty for a frame that is damaged.
std::optional<std::string> decompressed(std::string_view frame) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  // Unknown and invalid sizes are above.
  if (size > kBlockBytesMax) return std::nullopt;
  std::string content(size, '\0');
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                     ZSTD_freeDCtx);
  const std::size_t got =
      ZSTD_decompress_usingDict(context.get(), content.data(), content.size(), frame.data(),
                                frame.size(), dictionary().data(), dictionary().size());
  if (ZSTD_isError(got) != 0 || got != size) return std::nullopt;
  return content;
}

/// The frames of a packed log, without their contents; empty if it does not consist of frames.
std::vector<std::string_view> frames_of(std::string_view data) {
  std::vector<std::string_view> frames;
  while (!data.empty()) {
    const std::size_t size = ZSTD_findFrameCompressedSize(data.data(), data.size());
    if (ZSTD_isError(size) != 0) return {};
    frames.push_back(data.substr(0, size));
    data.remove_prefix(size);
  }
  return frames;
}

/// The `count` records of a block from version `first` on.
Expected<std::vector<codec::Record>> block_of(std::string_view frame, Version first,
                                              std::size_t count) {
  const auto content = decompressed(frame);
  log::v1::PackedEvents columns;
  if (!content || !columns.ParseFromString(*content)) return damaged();
  auto records = from_columns(columns, first, count);
  if (!records) return damaged();
  records->back().digest = columns.state_digest();
  return *std::move(records);
}

}  // namespace

Expected<PackedLog> pack(const RecordList& records) {
  if (records.empty() || records.size() > limits::kArchiveEventsMax ||
      records.bytes() > limits::kArchiveBytesMax) {
    return refuse(ErrorCode::kInvalidArgument, "The log is empty or too large to be packed.");
  }
  auto values = values_of(records);
  if (!values) {
    return refuse(ErrorCode::kInvalidArgument, "The log has records that no server writes.");
  }
  RecordList kept;
  for (std::size_t i = 0; i < values->size(); ++i) {
    if (i + 1 < values->size()) (*values)[i].digest = 0;
    kept.add(codec::encode((*values)[i]));
  }
  PackedLog packed{.events = kept.size(), .bytes = kept.bytes(), .hash = hash_of(kept), .data = {}};
  for (std::size_t begin = 0; begin < values->size(); begin += kBlockEvents) {
    const auto block =
        std::span(*values).subspan(begin, std::min(kBlockEvents, values->size() - begin));
    auto columns = to_columns(block, Version{begin + 1});
    columns.set_state_digest(block.back().digest);
    packed.data += compressed(columns.SerializeAsString());
  }
  if (unpack(packed) == kept) return packed;
  return refuse(ErrorCode::kInternal, "The log cannot be packed.");
}

Expected<RecordList> unpack(const PackedLog& packed) {
  auto records = unpack(packed, Version{1}, limits::kArchiveEventsMax);
  if (!records) return records;
  if (records->size() != packed.events || records->bytes() != packed.bytes ||
      hash_of(*records) != packed.hash) {
    return damaged();
  }
  return records;
}

Expected<RecordList> unpack(const PackedLog& packed, Version from, std::size_t max) {
  if (packed.format != PackedFormat::kColumns) {
    return refuse(ErrorCode::kCorrupt,
                  "A log is packed in a way that this server does not know: a newer one wrote it.");
  }
  const auto frames = frames_of(packed.data);
  if (packed.events == 0 || packed.events > limits::kArchiveEventsMax || from == Version{} ||
      frames.size() != (packed.events + kBlockEvents - 1) / kBlockEvents) {
    return damaged();
  }
  RecordList records;
  const std::uint64_t end = std::min<std::uint64_t>(packed.events, from.value - 1 + max);
  for (std::uint64_t at = from.value - 1; at < end;) {
    const std::uint64_t begin = at / kBlockEvents * kBlockEvents;
    const auto count = std::min<std::uint64_t>(kBlockEvents, packed.events - begin);
    const auto block = block_of(frames[at / kBlockEvents], Version{begin + 1}, count);
    if (!block) return std::unexpected(block.error());
    for (; at < std::min(end, begin + block->size()); ++at) {
      records.add(codec::encode((*block)[at - begin]));
    }
  }
  return records;
}

}  // namespace tesela::archive
