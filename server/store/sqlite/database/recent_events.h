// The committed events that are not compacted yet (FORMAT.md, "Recent and compacted"), in memory:
// what readers need besides the table `events`, and what is to be compacted next.
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

  /// A commit begins whose newest event has this number (recent_events.seq): from some moment on it
  /// is in the database, and readers find its events here only once they are added. Ended by `add`,
  /// or by `give_up`.
  void hide(std::int64_t newest_seq);
  void give_up();
  /// The number of the commit that is not shown yet, if there is one.
  [[nodiscard]] std::optional<std::int64_t> hidden() const;
  /// Waits until that commit is shown, or given up.
  void wait_until_shown(std::int64_t newest_seq) const;

  /// Takes the events of a batch, in the order of versions for each table, and empties it.
  void add(std::vector<Committed>& events);
  /// The table's events from `from` on, in order, at most `max`. A reader asks here first and reads
  /// `events` after: what is compacted in between is then in both, never in none.
  [[nodiscard]] std::vector<Entry> since(TableId table, Version from, std::size_t max) const;
  /// The table's newest event, if it is here.
  [[nodiscard]] std::optional<Entry> last(TableId table) const;
  /// Whether the table has an event here.
  [[nodiscard]] bool contains(TableId table) const;

  /// The events outside of the generation.
  [[nodiscard]] std::size_t gathered() const { return gathered_count_; }
  /// Makes what has gathered the generation to compact; the one before is empty. Its tables, in
  /// order.
  [[nodiscard]] std::vector<TableId> begin_generation();
  /// The table's events in the generation. Valid until they are forgotten.
  [[nodiscard]] std::span<const Entry> generation(TableId table) const;
  /// Lets the table's events in the generation go: they are compacted and committed.
  void forget(TableId table);

 private:
  using Tables = std::unordered_map<TableId, std::vector<Entry>>;

  // The writer's thread alone changes the maps, under the mutex, so its own reading needs none.
  mutable std::mutex mutex_;
  mutable std::condition_variable shown_;
  std::optional<std::int64_t> hidden_;  // guarded by the mutex, against the writer too
  Tables generation_;
  Tables gathered_;
  std::size_t gathered_count_{0};
};

}  // namespace tesela::store
