#include "clients/cli/load/load_echo.h"

#include <utility>

#include "clients/cli/load/move_writer.h"

namespace tesela::cli {
namespace {

constexpr std::uint64_t kTypicalVersion = 100;

}  // namespace

EchoDialogue::EchoDialogue(Endpoints endpoints, ServerAddress server)
    : endpoints_(std::move(endpoints)), server_(std::move(server)) {
  MoveWriter{}.write(kTypicalVersion, game::v1::DIRECTION_LEFT, frame_);
}

Task<Expected<WebSocket>> EchoDialogue::open() {
  return open_web_socket(endpoints_, server_, "/");
}

Expected<bool> EchoDialogue::accept(std::string_view frame) {
  if (frame == frame_) return true;
  return refuse(ErrorCode::kInternal, "The echo is not what was sent.");
}

}  // namespace tesela::cli
