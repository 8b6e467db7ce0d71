#include "clients/cli/load/move_writer.h"

namespace tesela::cli {

MoveWriter::MoveWriter() {
  frame_.mutable_move()->mutable_body()->PackFrom(body_);
}

void MoveWriter::write(std::uint64_t version, game::v1::Direction direction, std::string& frame) {
  auto& move = *frame_.mutable_move();
  move.set_move_id(std::to_string(version));
  move.set_at_version(version);
  body_.set_direction(direction);
  body_.SerializeToString(move.mutable_body()->mutable_value());
  frame_.SerializeToString(&frame);
}

}  // namespace tesela::cli
