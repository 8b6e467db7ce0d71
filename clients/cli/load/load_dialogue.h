// What one connection of `tesela load` says and hears, apart from when: the loop that paces and
// measures (LoadConnection) is the same for a table and for the echo server that it is compared
// with.
#pragma once

#include <cstdint>
#include <string_view>

#include "clients/cli/client/connect.h"
#include "clients/cli/client/task.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// One connection, one thread. Calls come in the order: open, then next_frame and accept in turn
/// until over() or an error, then open again.
class LoadDialogue {
 public:
  virtual ~LoadDialogue() = default;

  /// A connection on which the first frame may be sent.
  virtual Task<Expected<WebSocket>> open() = 0;
  /// Frames a second that the peer allows; 0 for no limit. Known after open().
  [[nodiscard]] virtual std::uint32_t frames_per_second_max() const = 0;
  /// The next frame to send. Good until the next call.
  virtual std::string_view next_frame() = 0;
  /// Takes a frame of the peer. True when it answers the frame sent last; an error when it is
  /// anything that a peer which works well does not send.
  virtual Expected<bool> accept(std::string_view frame) = 0;
  /// Nothing more can be sent on this connection.
  [[nodiscard]] virtual bool over() const = 0;
};

}  // namespace tesela::cli
