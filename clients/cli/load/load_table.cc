#include "clients/cli/load/load_table.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <utility>

#include "clients/cli/load/load_player.h"
#include "server/games/g2048/g2048.h"
#include "server/games/game_codec.h"

namespace tesela::cli {
namespace {

using play::v1::ServerFrame;

std::unexpected<Error> ended_early(const boost::system::error_code& error) {
  return refuse(ErrorCode::kUnavailable, "A stream ended before its Snapshot: " + error.message());
}

}  // namespace

MoveWriter::MoveWriter() {
  frame_.mutable_move()->mutable_body()->PackFrom(game::v1::Game2048Move{});
}

void MoveWriter::write(std::uint64_t version, g2048::Direction direction, std::string& frame) {
  auto& move = *frame_.mutable_move();
  move.set_move_id(std::to_string(version));
  move.set_at_version(version);
  move.mutable_body()->set_value(games::encoded<games::G2048Codec>(g2048::Move{direction}));
  frame_.SerializeToString(&frame);
}

Task<Expected<WebSocket>> TableDialogue::open() {
  if (std::exchange(moved_, {})) {
    ++comebacks_;
  } else {
    auto table = co_await pool_.take();
    if (!table) co_return std::unexpected(table.error());
    table_ = std::move(*table);
    comebacks_ = 0;
  }
  auto stream = co_await open_web_socket(options_.endpoints, options_.server, stream_path(table_));
  if (!stream) co_return std::unexpected(stream.error());
  if (auto greeted = co_await greet(*stream); !greeted) co_return std::unexpected(greeted.error());
  co_return std::move(*stream);
}

Error TableDialogue::explained(const ServerFrame& frame) {
  if (frame.has_goodbye()) {
    const auto& goodbye = frame.goodbye();
    const bool moves = goodbye.reason() == play::v1::REASON_TABLE_MOVED && goodbye.reconnect();
    if (moves && comebacks_ < kComebacksMax) {
      moved_.emplace(goodbye.reconnect_after_ms());
    }
    return {ErrorCode::kUnavailable,
            "Goodbye " + Reason_Name(goodbye.reason()) + ": " + goodbye.message()};
  }
  if (frame.has_refusal()) {
    return {ErrorCode::kInternal,
            "Refusal " + Reason_Name(frame.refusal().reason()) + ": " + frame.refusal().message()};
  }
  return {ErrorCode::kInternal, "An unexpected frame: " + frame.ShortDebugString()};
}

Expected<void> TableDialogue::overhear(std::string_view bytes) {
  ServerFrame frame;
  const bool is_read = frame.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  if (is_read && frame.has_goodbye()) return std::unexpected(explained(frame));
  return {};
}

Task<Expected<void>> TableDialogue::greet(WebSocket& stream) {
  play::v1::ClientFrame hello;
  hello.mutable_hello()->set_token(options_.token);
  frame_ = hello.SerializeAsString();
  const auto [error, written] = co_await stream.async_write(boost::asio::buffer(frame_), kResult);
  if (error) co_return ended_early(error);
  boost::beast::flat_buffer buffer;
  for (ServerFrame frame; !frame.has_snapshot();) {
    const auto [read_error, size] = co_await stream.async_read(buffer, kResult);
    if (read_error) co_return ended_early(read_error);
    if (!frame.ParseFromArray(buffer.data().data(), static_cast<int>(size))) {
      co_return refuse(ErrorCode::kInternal, "A frame cannot be read.");
    }
    buffer.consume(size);
    if (frame.has_welcome()) {
      frames_per_second_ = frame.welcome().frames_per_second_max();
    } else if (frame.has_snapshot()) {
      co_return accept_snapshot(frame.snapshot());
    } else {
      co_return std::unexpected(explained(frame));
    }
  }
  co_return Expected<void>{};
}

Expected<void> TableDialogue::accept_snapshot(const play::v1::Snapshot& snapshot) {
  const bool is_new = comebacks_ == 0;
  if (!take(read_2048_view_fields(snapshot.view().value())) || (over_ && is_new)) {
    return refuse(ErrorCode::kInternal, "A new table has no moves.");
  }
  comebacks_ = 0;
  version_ = snapshot.version();
  return {};
}

std::string_view TableDialogue::next_frame() {
  writer_.write(version_, LoadPlayer::get().choose(board_), frame_);
  return frame_;
}

Expected<bool> TableDialogue::accept(std::string_view bytes) {
  if (const auto event = read_event_fields(bytes)) return accept_event(*event);
  ServerFrame frame;
  if (!frame.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return refuse(ErrorCode::kInternal, "A frame cannot be read.");
  }
  return std::unexpected(explained(frame));
}

Expected<bool> TableDialogue::accept_event(const EventFields& event) {
  if (event.version != version_ + 1 || event.move_id != std::to_string(version_) ||
      !take(read_2048_event_fields(event.body))) {
    return refuse(ErrorCode::kInternal, "An event is not the next one of its table.");
  }
  version_ = event.version;
  return true;
}

bool TableDialogue::take(const std::optional<ViewFields>& view) {
  constexpr std::size_t kCells = g2048::PackedBoard::kSize * g2048::PackedBoard::kSize;
  if (!view || view->cells.size() != kCells) return false;
  g2048::Cells cells{};
  std::ranges::copy(view->cells, cells.begin());
  board_ = g2048::PackedBoard{cells};
  // A tile that does not fit in four bits ends the game here: it was long enough.
  over_ = view->over || board_.legal() > 0xfU;
  return true;
}

}  // namespace tesela::cli
