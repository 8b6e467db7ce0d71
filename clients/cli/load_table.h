// A connection that plays legal moves at tables of its own, one game after the other.
#pragma once

#include <cstdint>
#include <string>

#include "clients/cli/frame_glance.h"
#include "clients/cli/load_dialogue.h"
#include "clients/cli/move_writer.h"
#include "clients/cli/table_stock.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

/// One thread. The stock outlives it.
class TableDialogue final : public LoadDialogue {
 public:
  struct Options {
    Endpoints endpoints;
    std::string host;  // for the Host header
    std::string token;
    std::uint64_t random_seed = 0;
  };

  TableDialogue(Options options, TableStock& stock)
      : options_(std::move(options)), stock_(stock), random_(options_.random_seed) {}

  Task<Expected<WebSocket>> open() override;
  [[nodiscard]] std::uint32_t frames_per_second_max() const override { return frames_per_second_; }
  std::string_view next_frame() override;
  Expected<bool> accept(std::string_view frame) override;
  [[nodiscard]] bool over() const override { return legal_.count == 0; }

 private:
  Task<Expected<void>> greet(WebSocket& stream);
  Expected<bool> accept_event(const EventGlance& event);
  Expected<void> accept_snapshot(const play::v1::Snapshot& snapshot);

  Options options_;
  TableStock& stock_;
  std::uint64_t random_;
  std::uint32_t frames_per_second_ = 0;
  std::uint64_t version_ = 0;
  LegalDirections legal_;
  MoveWriter writer_;
  std::string frame_;
};

}  // namespace tesela::cli
