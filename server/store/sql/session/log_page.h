// Some events of a log, in order, put together from where the parts of the log are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/archive/packed_log.h"
#include "server/store/event_log.h"
#include "server/store/sql/session/rows.h"

namespace tesela::store::sql {

/// kCorrupt: the log does not run on to its end.
inline std::unexpected<Error> missing_from_log(Version version) {
  return refuse(ErrorCode::kCorrupt, "The table's log is damaged: version " +
                                         std::to_string(version.value) + " is missing.");
}

/// Of the columns format, events, bytes, hash and data, from `column` on.
inline archive::PackedLog packed_log_of(Row row, int column) {
  return {.format = static_cast<archive::PackedFormat>(row.small<std::uint8_t>(column)),
          .events = static_cast<std::uint64_t>(row.number(column + 1)),
          .bytes = static_cast<std::uint64_t>(row.number(column + 2)),
          .hash = row.text(column + 3),
          .data = row.text(column + 4)};
}

/// What a database has of a part of a log that may be packed.
struct StoredLog {
  std::optional<archive::PackedLog> packed{};
  std::vector<Entry> events{};  // behind those of the packed log
  Version end{};                // up to which there must be events

  /// The last version of the packed log; 0 without one.
  [[nodiscard]] Version packed_until() const { return Version{packed ? packed->events : 0}; }
  /// The last event, where `events` has at most the last one; empty: there is none. Errors: those
  /// of archive::unpack.
  Expected<std::optional<Entry>> take_last() {
    if (!events.empty()) return std::move(events.back());
    if (!packed) return std::nullopt;
    const auto records = archive::unpack(*packed, packed_until(), 1);
    if (!records) return std::unexpected(records.error());
    return Entry{packed_until(), std::string((*records)[0])};
  }
};

/// The answer to EventReader::read. The parts are added in the order of versions; they may overlap.
class LogPage {
 public:
  LogPage(Version from, std::size_t max) : next_(from), max_(max) {}

  /// Errors: those of archive::unpack, and as below.
  Expected<void> add(StoredLog& stored) {
    if (stored.packed) {
      const auto records = archive::unpack(*stored.packed, next_, max_);
      if (!records) return std::unexpected(records.error());
      for (std::size_t i = 0; i < records->size(); ++i, next_ = next(next_)) {
        entries_.push_back(Entry{next_, std::string((*records)[i])});
      }
    }
    return add(std::move(stored.events));
  }
  /// Error: kCorrupt for a gap.
  Expected<void> add(std::vector<Entry> part) {
    for (Entry& entry : part) {
      if (entry.version < next_ || full()) continue;
      if (entry.version != next_) return missing_from_log(next_);
      next_ = next(next_);
      entries_.push_back(std::move(entry));
    }
    return {};
  }

  /// Whether it ends before it is full, and before the log does.
  [[nodiscard]] bool ends_before(Version end) const { return !full() && next_ <= end; }
  /// The version behind the last one.
  [[nodiscard]] Version next_version() const { return next_; }
  [[nodiscard]] std::vector<Entry> take() { return std::move(entries_); }

 private:
  [[nodiscard]] bool full() const { return entries_.size() >= max_; }

  Version next_;
  std::size_t max_;
  std::vector<Entry> entries_;
};

}  // namespace tesela::store::sql
