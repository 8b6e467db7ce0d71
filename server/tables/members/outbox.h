// What waits to be written to one connection: bounded, in order, and ended by a last word.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "server/codec/frame.h"
#include "server/tables/core/fifo.h"

namespace tesela::tables {

/// Lives on one thread, with its connection and its table.
class Outbox {
 public:
  /// `wake` is called whenever something was put in: the connection writes if it is not writing
  /// already.
  explicit Outbox(codec::Protocol protocol, std::function<void()> wake)
      : protocol_(protocol), wake_(std::move(wake)) {}

  /// Appends a frame. False, and nothing happens, when the limits (kOutboxFramesMax,
  /// kOutboxBytesMax) do not allow it. After `end` frames are taken and dropped.
  [[nodiscard]] bool push(codec::FramePtr frame);
  /// Appends all of them, or, where the limits do not allow that, none.
  [[nodiscard]] bool push_all(const std::vector<codec::FramePtr>& frames);

  /// Drops what waits.
  void clear();

  /// Drops what waits and puts the last frame, a Goodbye for `reason`, in its place: nothing
  /// follows it.
  void end(codec::Reason reason, codec::FramePtr goodbye);

  /// The next frame to write; none when nothing waits.
  [[nodiscard]] codec::FramePtr pop();

  /// Set once `end` was called: the connection closes when it has written everything.
  [[nodiscard]] std::optional<codec::Reason> ended() const { return ended_; }
  [[nodiscard]] codec::Protocol protocol() const { return protocol_; }

 private:
  [[nodiscard]] bool fits(std::size_t frames, std::size_t bytes) const;

  codec::Protocol protocol_;
  std::optional<codec::Reason> ended_;
  std::size_t bytes_ = 0;
  Fifo<codec::FramePtr> waiting_;
  std::function<void()> wake_;
};

}  // namespace tesela::tables
