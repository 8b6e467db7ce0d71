#include "server/tables/members/outbox.h"

#include <algorithm>
#include <utility>

#include "server/base/limits.h"

namespace tesela::tables {

bool Outbox::fits(std::size_t frames, std::size_t bytes) const {
  return waiting_.size() + frames <= limits::kOutboxFramesMax &&
         bytes_ + bytes <= limits::kOutboxBytesMax;
}

bool Outbox::push_all(const std::vector<codec::FramePtr>& frames) {
  std::size_t bytes = 0;
  for (const auto& frame : frames) bytes += frame->bytes(protocol_).size();
  return fits(frames.size(), bytes) &&
         std::ranges::all_of(frames, [this](const auto& frame) { return push(frame); });
}

bool Outbox::push(codec::FramePtr frame) {
  if (ended_) return true;
  if (send_ && waiting_.empty() && send_(frame)) return true;
  const std::size_t size = frame->bytes(protocol_).size();
  if (!fits(1, size)) return false;
  bytes_ += size;
  waiting_.push(std::move(frame));
  wake_();
  return true;
}

void Outbox::clear() {
  waiting_.clear();
  bytes_ = 0;
}

void Outbox::end(codec::Reason reason, codec::FramePtr goodbye) {
  if (ended_) return;
  clear();
  ended_ = reason;
  waiting_.push(std::move(goodbye));
  wake_();
}

void Outbox::abandon() {
  clear();
  ended_ = ended_.value_or(codec::Reason::kTableMoved);
  abandoned_ = true;
  wake_();
}

codec::FramePtr Outbox::pop() {
  codec::FramePtr frame = waiting_.pop().value_or(nullptr);
  if (!frame) return nullptr;
  bytes_ -= std::min(bytes_, frame->bytes(protocol_).size());
  return frame;
}

}  // namespace tesela::tables
