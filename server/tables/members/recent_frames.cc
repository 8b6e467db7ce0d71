#include "server/tables/members/recent_frames.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "server/base/clock.h"
#include "server/base/limits.h"

namespace tesela::tables {

void RecentFrames::add(codec::FramePtr event, Time now) {
  if (!events_.empty()) count_again(events_.back());
  if (events_.size() == events_.capacity()) {
    events_.erase(events_.begin(), oldest());
    dropped_ = 0;
  }
  const std::size_t bytes = event->size();
  event_bytes_ += bytes;
  events_.push_back({.frame = std::move(event), .added = now, .bytes = bytes});
  drop_excess();
}

// A frame is encoded in JSON when the first client that wants it is sent it: after it was added.
void RecentFrames::count_again(Event& event) {
  const std::size_t bytes = event.frame->size();
  event_bytes_ = event_bytes_ - event.bytes + bytes;
  event.bytes = bytes;
}

void RecentFrames::drop_excess() {
  while (kept() > 1 &&
         (kept() > limits::kRecentEventsMax || event_bytes_ > limits::kRecentEventBytesMax)) {
    Event& dropped = events_[dropped_++];
    event_bytes_ -= dropped.bytes;
    dropped.frame = nullptr;
  }
}

codec::FramePtr RecentFrames::event(Version version) const {
  const std::uint64_t back = position_.version.value - version.value;
  if (version > position_.version || back >= kept()) return nullptr;
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
  std::for_each(oldest(), events_.end(), [this](Event& event) { count_again(event); });
  drop_excess();
  if (kept() < 2 || oldest()->added >= time) return;
  const auto last = std::prev(events_.end());
  const auto keep =
      std::find_if(oldest(), last, [time](const Event& event) { return event.added >= time; });
  // A vector of its own: an idle table holds no room for what it had.
  events_ =
      std::vector<Event>(std::make_move_iterator(keep), std::make_move_iterator(events_.end()));
  dropped_ = 0;
  event_bytes_ = 0;
  for (const Event& event : events_) event_bytes_ += event.bytes;
}

void RecentFrames::drop_events() {
  events_ = {};
  dropped_ = 0;
  event_bytes_ = 0;
}

codec::FramePtr RecentFrames::snapshot(bool shared) {
  if (snapshot_ && snapshot_version_ == position_.version) return snapshot_;
  auto frame = std::make_shared<const codec::Frame>(position_.match->snapshot(
      position_.version, position_.at_ms, position_.clock, base::Moment::now()));
  if (shared && !position_.clock.on()) {
    snapshot_ = frame;
    snapshot_version_ = position_.version;
  }
  return frame;
}

}  // namespace tesela::tables
