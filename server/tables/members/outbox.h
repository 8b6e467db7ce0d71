// The bounded queue of frames for one connection.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "server/codec/frame.h"
#include "server/tables/core/fifo.h"

namespace tesela::tables {

/// One thread: that of the table and the connection.
class Outbox {
 public:
  using Send = std::function<bool(const codec::FramePtr&)>;

  /// `wake` is called whenever a frame was added, so that the connection begins to write. `send`
  /// may take a frame at once, with the result true, when no other one waits.
  explicit Outbox(codec::Protocol protocol, std::function<void()> wake, Send send = {})
      : protocol_(protocol), wake_(std::move(wake)), send_(std::move(send)) {}

  /// Appends a frame. False, without effect, beyond kOutboxFramesMax or kOutboxBytesMax. After
  /// `end` the frame is dropped and the result is true.
  [[nodiscard]] bool push(codec::FramePtr frame);
  /// Appends all frames, or none if the limits do not allow that.
  [[nodiscard]] bool push_all(const std::vector<codec::FramePtr>& frames);

  /// Drops all frames.
  void clear();

  /// Drops all frames and appends the last one, a Goodbye for `reason`.
  void end(codec::Reason reason, codec::FramePtr goodbye);

  /// Drops all frames, and those that come: the connection closes at once, without a word.
  void abandon();
  [[nodiscard]] bool abandoned() const { return abandoned_; }

  /// Removes and returns the next frame; null when there is none.
  [[nodiscard]] codec::FramePtr pop();

  /// The reason of `end`, once it was called: the connection closes after the last frame.
  [[nodiscard]] std::optional<codec::Reason> ended() const { return ended_; }
  [[nodiscard]] codec::Protocol protocol() const { return protocol_; }

 private:
  [[nodiscard]] bool fits(std::size_t frames, std::size_t bytes) const;

  codec::Protocol protocol_;
  std::optional<codec::Reason> ended_;
  bool abandoned_ = false;
  std::size_t bytes_ = 0;
  Fifo<codec::FramePtr> waiting_;
  std::function<void()> wake_;
  Send send_;
};

}  // namespace tesela::tables
