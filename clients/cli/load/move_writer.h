// Encodes moves of 2048 without allocating: one message, filled anew for each.
#pragma once

#include <cstdint>
#include <string>

#include "tesela/game/v1/g2048.pb.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

class MoveWriter {
 public:
  MoveWriter();

  /// Replaces `frame` by an encoded ClientFrame that plays `direction` at `version`. The version is
  /// also the move's id, which is unique as long as the table accepts one move a version.
  void write(std::uint64_t version, game::v1::Direction direction, std::string& frame);

 private:
  play::v1::ClientFrame frame_;
  game::v1::Game2048Move body_;
};

}  // namespace tesela::cli
