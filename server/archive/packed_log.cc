#include "server/archive/packed_log.h"

#include <optional>
#include <utility>
#include <vector>

#include "server/archive/event_coder.h"
#include "server/base/store_limits.h"
#include "server/codec/record.h"
#include "server/execution/execution.h"
#include "server/execution/undo_history.h"

namespace tesela::archive {
namespace {

std::unexpected<Error> not_the_log() {
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

/// Sets the digests to those that the game leads to.
Expected<void> execute(std::vector<codec::Record>& records) {
  execution::UndoHistory history;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (auto added = history.add(Version{i + 1}, records[i]); !added) return added;
  }
  execution::Execution execution({}, history.returns());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto digest =
        i == 0 ? execution.begin_unchecked(records[i]) : execution.play_unchecked(records[i]);
    if (!digest) return std::unexpected(digest.error());
    records[i].digest = *digest;
  }
  return {};
}

Expected<RecordList> records_of(const PackedLog& packed) {
  const std::size_t count = packed.events;
  if (packed.format == PackedFormat::kBytes) {
    return decode_bytes(packed.data, count, packed.bytes);
  }
  const auto digests = packed.format == PackedFormat::kExecuted ? Digests::kNone : Digests::kCoded;
  // Every text of a value stands in its record.
  auto values = decode_events(packed.data, count, digests, packed.bytes);
  if (!values) return std::unexpected(std::move(values.error()));
  if (digests == Digests::kNone) {
    if (auto executed = execute(*values); !executed) return std::unexpected(executed.error());
  }
  RecordList records;
  for (const codec::Record& value : *values) records.add(codec::encode(value));
  return records;
}

}  // namespace

Expected<PackedLog> pack(const RecordList& records) {
  if (records.empty() || records.size() > limits::kArchiveEventsMax ||
      records.bytes() > limits::kArchiveBytesMax) {
    return refuse(ErrorCode::kInvalidArgument, "The log is empty or too large to be packed.");
  }
  PackedLog packed{.format = PackedFormat::kExecuted,
                   .events = records.size(),
                   .bytes = records.bytes(),
                   .hash = hash_of(records),
                   .data = {}};
  if (const auto values = values_of(records)) {
    packed.data = encode_events(*values, Digests::kNone);
    if (unpack(packed) == records) return packed;
    packed.format = PackedFormat::kFields;
    packed.data = encode_events(*values, Digests::kCoded);
    if (unpack(packed) == records) return packed;
  }
  packed.format = PackedFormat::kBytes;
  packed.data = encode_bytes(records);
  if (unpack(packed) == records) return packed;
  return refuse(ErrorCode::kInternal, "The log cannot be packed.");
}

Expected<RecordList> unpack(const PackedLog& packed) {
  const bool known = packed.format == PackedFormat::kBytes ||
                     packed.format == PackedFormat::kFields ||
                     packed.format == PackedFormat::kExecuted;
  if (!known) {
    return refuse(ErrorCode::kCorrupt,
                  "A log is packed in a way that this server does not know: a newer one wrote it.");
  }
  if (packed.events == 0 || packed.events > limits::kArchiveEventsMax ||
      packed.bytes > limits::kArchiveBytesMax) {
    return not_the_log();
  }
  auto records = records_of(packed);
  if (!records) return records;
  if (records->bytes() != packed.bytes || hash_of(*records) != packed.hash) return not_the_log();
  return records;
}

}  // namespace tesela::archive
