#include "clients/cli/load_table.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <span>
#include <utility>

#include "clients/cli/random.h"

namespace tesela::cli {
namespace {

using play::v1::ServerFrame;

std::unexpected<Error> lost(const boost::system::error_code& error) {
  return refuse(ErrorCode::kUnavailable, "A stream ended before its Snapshot: " + error.message());
}

Error explained(const ServerFrame& frame) {
  if (frame.has_goodbye()) {
    return {ErrorCode::kUnavailable,
            "Goodbye " + Reason_Name(frame.goodbye().reason()) + ": " + frame.goodbye().message()};
  }
  if (frame.has_refusal()) {
    return {ErrorCode::kInternal,
            "Refusal " + Reason_Name(frame.refusal().reason()) + ": " + frame.refusal().message()};
  }
  return {ErrorCode::kInternal, "An unexpected frame: " + frame.ShortDebugString()};
}

bool leads_to_the_corner(game::v1::Direction direction) {
  return direction == game::v1::DIRECTION_LEFT || direction == game::v1::DIRECTION_DOWN;
}

// As a beginner plays: left or down while one of them is legal, at random. A game lasts 195 moves
// on the average so, instead of 118, and a person's ten times as many: making tables is to weigh
// little.
game::v1::Direction choose(const LegalDirections& legal, std::uint64_t& random) {
  const auto all = std::span(legal.directions).first(legal.count);
  const auto corner = std::ranges::count_if(all, leads_to_the_corner);
  const bool any = corner == 0;
  auto skip = random_below(random, any ? legal.count : static_cast<std::uint32_t>(corner));
  for (const auto direction : all) {
    if ((any || leads_to_the_corner(direction)) && skip-- == 0) return direction;
  }
  return all.front();
}

}  // namespace

Task<Expected<WebSocket>> TableDialogue::open() {
  auto table = co_await stock_.take();
  if (!table) co_return std::unexpected(table.error());
  auto stream = co_await open_web_socket(options_.endpoints, options_.host, stream_path(*table));
  if (!stream) co_return std::unexpected(stream.error());
  if (auto greeted = co_await greet(*stream); !greeted) co_return std::unexpected(greeted.error());
  co_return std::move(*stream);
}

Task<Expected<void>> TableDialogue::greet(WebSocket& stream) {
  play::v1::ClientFrame hello;
  hello.mutable_hello()->set_token(options_.token);
  frame_ = hello.SerializeAsString();
  const auto [error, written] = co_await stream.async_write(boost::asio::buffer(frame_), kResult);
  if (error) co_return lost(error);
  boost::beast::flat_buffer buffer;
  for (ServerFrame frame; !frame.has_snapshot();) {
    const auto [read_error, size] = co_await stream.async_read(buffer, kResult);
    if (read_error) co_return lost(read_error);
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
  const auto legal = glance_at_2048_view(snapshot.view().value());
  if (!legal || legal->count == 0) return refuse(ErrorCode::kInternal, "A new table has no moves.");
  legal_ = *legal;
  version_ = snapshot.version();
  return {};
}

std::string_view TableDialogue::next_frame() {
  writer_.write(version_, choose(legal_, random_), frame_);
  return frame_;
}

Expected<bool> TableDialogue::accept(std::string_view bytes) {
  if (const auto event = glance_at_event(bytes)) return accept_event(*event);
  ServerFrame frame;
  if (!frame.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return refuse(ErrorCode::kInternal, "A frame cannot be read.");
  }
  return std::unexpected(explained(frame));
}

Expected<bool> TableDialogue::accept_event(const EventGlance& event) {
  const auto legal = glance_at_2048_event(event.body);
  if (!legal || event.version != version_ + 1 || event.move_id != std::to_string(version_)) {
    return refuse(ErrorCode::kInternal, "An event is not the next one of its table.");
  }
  legal_ = *legal;
  version_ = event.version;
  return true;
}

}  // namespace tesela::cli
