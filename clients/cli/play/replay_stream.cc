#include "clients/cli/play/replay_stream.h"

namespace tesela::cli {

Task<Expected<std::optional<play::v1::ServerFrame>>> ReplayStream::next() {
  if (!started_) {
    started_ = true;
    auto begun = co_await stream_.start("HistoryService/Replay", request_.SerializeAsString());
    if (!begun) co_return std::unexpected(std::move(begun.error()));
  }
  auto bytes = co_await stream_.next();
  if (!bytes) co_return std::unexpected(std::move(bytes.error()));
  if (!*bytes) co_return std::nullopt;
  lobby::v1::ReplayResponse response;
  if (!response.ParseFromString(**bytes)) {
    co_return refuse(ErrorCode::kInternal, "The server's answer cannot be read.");
  }
  co_return std::move(*response.mutable_frame());
}

play::v1::Seating seating_of(const lobby::v1::Table& table) {
  play::v1::Seating seating;
  *seating.mutable_seats() = table.seats();
  seating.set_seat_count(table.seat_count());
  for (auto& occupant : *seating.mutable_seats()) {
    occupant.set_connected(true);
    occupant.clear_resigned();
    if (!occupant.bot()) occupant.clear_strategy();
  }
  return seating;
}

}  // namespace tesela::cli
