#include "server/tables/members/recent_frames.h"

#include <memory>

#include "server/base/clock.h"

namespace tesela::tables {

codec::FramePtr RecentFrames::snapshot(bool shared) {
  if (snapshot_ && snapshot_version_ == position_.version) return snapshot_;
  auto frame = std::make_shared<const codec::Frame>(position_.match->snapshot(
      position_.version, position_.at_ms, position_.clock, base::unix_ms()));
  if (shared && !position_.clock.on()) {
    snapshot_ = frame;
    snapshot_version_ = position_.version;
  }
  return frame;
}

}  // namespace tesela::tables
