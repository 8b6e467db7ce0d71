#include "server/tables/members/recent_frames.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "server/base/clock.h"
#include "server/base/limits.h"

namespace tesela::tables {
namespace {

std::size_t size_of(const codec::FramePtr& frame) {
  return frame->bytes(codec::Protocol::kBinary).size();
}

}  // namespace

void RecentFrames::add(codec::FramePtr event, Time now) {
  event_bytes_ += size_of(event);
  std::size_t excess = 0;  // at the front
  while (excess < events_.size() && (events_.size() - excess >= limits::kRecentEventsMax ||
                                     event_bytes_ > limits::kRecentEventBytesMax)) {
    event_bytes_ -= size_of(events_[excess++].frame);
  }
  events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(excess));
  events_.push_back({.frame = std::move(event), .added = now});
}

codec::FramePtr RecentFrames::event(Version version) const {
  const std::uint64_t back = position_.version.value - version.value;
  if (version > position_.version || back >= events_.size()) return nullptr;
  return events_[events_.size() - 1 - static_cast<std::size_t>(back)].frame;
}

std::optional<std::vector<codec::FramePtr>> RecentFrames::since(Version last) const {
  std::vector<codec::FramePtr> frames;
  for (Version version = next(last); version <= position_.version; version = next(version)) {
    auto frame = event(version);
    if (!frame) return std::nullopt;
    frames.push_back(std::move(frame));
  }
  return frames;
}

void RecentFrames::drop_events_before(Time time) {
  if (events_.size() < 2 || events_.front().added >= time) return;
  const auto last = std::prev(events_.end());
  const auto keep = std::find_if(events_.begin(), last,
                                 [time](const Event& event) { return event.added >= time; });
  // A vector of its own: an idle table holds no room for what it had.
  events_ =
      std::vector<Event>(std::make_move_iterator(keep), std::make_move_iterator(events_.end()));
  event_bytes_ = 0;
  for (const Event& event : events_) event_bytes_ += size_of(event.frame);
}

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
