// The frames of a table that are encoded already: its last event, its last Snapshot.
#pragma once

#include "engine/core/ids.h"
#include "server/codec/frame.h"
#include "server/tables/core/position.h"

namespace tesela::tables {

/// One thread: the table's.
class RecentFrames {
 public:
  explicit RecentFrames(const Position& position) : position_(position) {}  // outlives it

  /// The event of the position's version was played in this life of the table.
  void set_last_event(codec::FramePtr event) { last_event_ = std::move(event); }
  /// None where the last event was played in an earlier life.
  [[nodiscard]] const codec::FramePtr& last_event() const { return last_event_; }

  /// A Snapshot of the position, which has begun. `shared`: whoever asks before the next event gets
  /// the same frame, encoded once, unless it tells the time. A table with one connection keeps
  /// none: most tables are such, and idle.
  [[nodiscard]] codec::FramePtr snapshot(bool shared);
  /// Nobody is here any more.
  void drop_snapshot() { snapshot_ = {}; }

 private:
  const Position& position_;
  codec::FramePtr last_event_;
  codec::FramePtr snapshot_;
  Version snapshot_version_;
};

}  // namespace tesela::tables
