// Some events of a log, in order, put together from where the parts of the log are stored.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/archive/packed_log.h"
#include "server/store/event_log.h"

namespace tesela::store {

/// kCorrupt: the log does not run on to its end.
inline std::unexpected<Error> missing_from_log(Version version) {
  return refuse(ErrorCode::kCorrupt, "The table's log is damaged: version " +
                                         std::to_string(version.value) + " is missing.");
}

/// The last event of a packed log. Errors: those of archive::unpack.
inline Expected<Entry> last_of(const archive::PackedLog& packed) {
  const Version last{packed.events};
  const auto records = archive::unpack(packed, last, 1);
  if (!records) return std::unexpected(records.error());
  return Entry{last, std::string((*records)[0])};
}

/// The answer to EventReader::read. The parts are added in the order of versions; they may overlap.
class LogPage {
 public:
  LogPage(Version from, std::size_t max) : next_(from), max_(max) {}

  /// Errors: those of archive::unpack.
  Expected<void> add(const archive::PackedLog& packed) {
    const auto records = archive::unpack(packed, next_, max_);
    if (!records) return std::unexpected(records.error());
    for (std::size_t i = 0; i < records->size(); ++i, next_ = next(next_)) {
      entries_.push_back(Entry{next_, std::string((*records)[i])});
    }
    return {};
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

}  // namespace tesela::store
