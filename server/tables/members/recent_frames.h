// Encoded frames of a table that are sent more than once: its last event and its last Snapshot.
#pragma once

#include <memory>
#include <utility>

#include "engine/core/ids.h"
#include "server/base/clock.h"
#include "server/codec/frame.h"
#include "server/tables/core/position.h"

namespace tesela::tables {

/// One thread: the table's.
class RecentFrames {
 public:
  /// `position` outlives it.
  explicit RecentFrames(const Position& position) : position_(position) {}

  /// Sets the event of the position's version.
  void set_last_event(codec::FramePtr event) { last_event_ = std::move(event); }
  /// None when the table has been loaded and nothing was played since.
  [[nodiscard]] const codec::FramePtr& last_event() const { return last_event_; }

  /// A Snapshot of the position; its game must have begun. With `shared` the frame is kept and
  /// returned again until the next event, unless the game has clocks. For a table with one
  /// connection that would only cost memory.
  [[nodiscard]] codec::FramePtr snapshot(bool shared) {
    if (snapshot_ && snapshot_version_ == position_.version) return snapshot_;
    auto frame = std::make_shared<const codec::Frame>(position_.match->snapshot(
        position_.version, position_.at_ms, position_.clock, base::unix_ms()));
    if (shared && !position_.clock.on()) {
      snapshot_ = frame;
      snapshot_version_ = position_.version;
    }
    return frame;
  }
  /// Frees the snapshot; called when the last member has left.
  void drop_snapshot() { snapshot_ = {}; }

 private:
  const Position& position_;
  codec::FramePtr last_event_;
  codec::FramePtr snapshot_;
  Version snapshot_version_;
};

}  // namespace tesela::tables
