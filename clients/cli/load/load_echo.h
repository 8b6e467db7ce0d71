// A connection to tests/bench/echo_baseline: the same loop as at a table, with frames of the size
// of a move, and nothing in them to understand.
#pragma once

#include <string>

#include "clients/cli/load/load_dialogue.h"

namespace tesela::cli {

/// One thread.
class EchoDialogue final : public LoadDialogue {
 public:
  EchoDialogue(Endpoints endpoints, ServerAddress server);

  Task<Expected<WebSocket>> open() override;
  [[nodiscard]] std::uint32_t frames_per_second_max() const override { return 0; }
  std::string_view next_frame() override { return frame_; }
  Expected<bool> accept(std::string_view frame) override;
  [[nodiscard]] bool over() const override { return false; }

 private:
  Endpoints endpoints_;
  ServerAddress server_;
  std::string frame_;
};

}  // namespace tesela::cli
