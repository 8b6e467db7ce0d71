// Encoded frames of a table that are sent more than once: its last events and its last Snapshot.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "server/codec/frame.h"
#include "server/tables/core/position.h"

namespace tesela::tables {

/// One thread: the table's.
class RecentFrames {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// `position` outlives it.
  explicit RecentFrames(const Position& position) : position_(position) {}

  /// Adds the event of the position's version; the version before was the one added last. Older
  /// ones go beyond limits::kRecentEventsMax and limits::kRecentEventBytesMax, with what they are
  /// in every sub-protocol.
  void add(codec::FramePtr event, Time now);
  /// The event of a version. None: it is not kept, or was played before the table was loaded.
  [[nodiscard]] codec::FramePtr event(Version version) const;
  /// The events after `last`, up to the position's version, in order. None: one is not kept.
  [[nodiscard]] std::optional<std::vector<codec::FramePtr>> since(Version last) const;
  /// Drops the events that were added before `time`, but for the last one.
  void drop_events_before(Time time);
  /// Drops all of them.
  void drop_events();

  /// A Snapshot of the position; its game must have begun. With `shared` the frame is kept and
  /// returned again until the next event, unless the game has clocks. For a table with one
  /// connection that would only cost memory.
  [[nodiscard]] codec::FramePtr snapshot(bool shared);
  void drop_snapshot() { snapshot_ = {}; }

 private:
  struct Event {
    codec::FramePtr frame;
    Time added;
    std::size_t bytes;  // as counted in `event_bytes_`
  };

  [[nodiscard]] std::vector<Event>::iterator oldest() {
    return events_.begin() + static_cast<std::ptrdiff_t>(dropped_);
  }
  [[nodiscard]] std::size_t kept() const { return events_.size() - dropped_; }
  void count_again(Event& event);
  /// Drops the oldest events beyond the limits, never the last.
  void drop_excess();

  const Position& position_;
  std::vector<Event> events_;  // of consecutive versions; the last is the position's
  std::size_t dropped_{0};     // the first of them, which are moved away when there is no room
  std::size_t event_bytes_{0};
  codec::FramePtr snapshot_;
  Version snapshot_version_;
};

}  // namespace tesela::tables
