// The committed events that are not compacted yet (FORMAT.md, "Recent and compacted"), in memory,
// for readers and for the next compaction.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/core/ids.h"
#include "server/store/event_log.h"

namespace tesela::store {

/// Threading: `since`, `last`, `hidden` and `wait_until_shown` from any thread, everything else
/// from the writer's.
class RecentEvents {
 public:
  struct Committed {
    TableId table;
    Entry entry;
  };

  /// A commit begins whose newest event has this number (recent_events.seq). Until `add` or
  /// `give_up` its events may be in the database and not here.
  void hide(std::int64_t newest_seq);
  void give_up();
  /// The number of such a commit, if there is one.
  [[nodiscard]] std::optional<std::int64_t> hidden() const;
  /// Waits until that commit was added or given up.
  void wait_until_shown(std::int64_t newest_seq) const;

  /// Moves the events of a batch in. For each table they are in the order of versions.
  void add(std::vector<Committed>& events);
  /// The table's events from `from` on, in order, at most `max`. A reader calls this first and
  /// reads the table `events` after it: events that are compacted meanwhile are then found twice,
  /// never missed.
  [[nodiscard]] std::vector<Entry> since(TableId table, Version from, std::size_t max) const;
  /// The table's newest event, if it is here.
  [[nodiscard]] std::optional<Entry> last(TableId table) const;
  /// Whether the table has an event here.
  [[nodiscard]] bool contains(TableId table) const;

  /// The events outside of the generation.
  [[nodiscard]] std::size_t gathered() const { return gathered_count_; }
  /// Makes the gathered events the generation to compact; the one before must be empty. Returns its
  /// tables, sorted.
  [[nodiscard]] std::vector<TableId> begin_generation();
  /// The table's events in the generation. Valid until they are forgotten.
  [[nodiscard]] std::span<const Entry> generation(TableId table) const;
  /// Drops the table's events in the generation, after they were compacted and committed.
  void forget(TableId table);

 private:
  using Tables = std::unordered_map<TableId, std::vector<Entry>>;

  // Only the writer's thread changes the maps, under the mutex; it reads them without it.
  mutable std::mutex mutex_;
  mutable std::condition_variable shown_;
  std::optional<std::int64_t> hidden_;  // always under the mutex
  Tables generation_;
  Tables gathered_;
  std::size_t gathered_count_{0};
};

}  // namespace tesela::store
