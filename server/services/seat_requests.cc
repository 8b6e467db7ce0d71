#include "server/services/seat_requests.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace tesela::services {
namespace {

Expected<Seat> seat_of(std::uint32_t seat) {
  if (seat < kSeatsMax) return Seat{static_cast<std::uint8_t>(seat)};
  return refuse(ErrorCode::kInvalidArgument, "seat must be below " + std::to_string(kSeatsMax) +
                                                 ", not " + std::to_string(seat) + ".");
}

/// The optional field `seat`.
template <class Message>
Expected<std::optional<Seat>> wanted_seat(const Message& message) {
  if (!message.has_seat()) return std::nullopt;
  return seat_of(message.seat());
}

Expected<tables::AddBot> bot_of(const lobby::v1::BotSeat& bot, PlayerId asker) {
  const auto seat = wanted_seat(bot);
  if (!seat) return std::unexpected(seat.error());
  return tables::AddBot{.asker = asker, .strategy = bot.strategy(), .seat = *seat};
}

}  // namespace

Expected<directory::NewTable> new_table_of(lobby::v1::CreateTableRequest request,
                                           accounts::Identity owner) {
  directory::NewTable wanted{.owner = owner.player,
                             .owner_name = std::move(owner.display_name),
                             .game = request.game(),
                             .options = request.options(),
                             .watch_only = request.watch_only(),
                             .contribution = request.contribution(),
                             .contribute_later = request.contribute_later()};
  if (request.has_config()) wanted.config = request.config();
  for (const auto& bot : request.bots()) {
    auto seat = bot_of(bot, wanted.owner);
    if (!seat) return std::unexpected(std::move(seat.error()));
    wanted.bots.push_back(std::move(*seat));
  }
  return wanted;
}

Expected<tables::TakeSeat> command_of(lobby::v1::JoinTableRequest request,
                                      accounts::Identity asker) {
  const auto seat = wanted_seat(request);
  if (!seat) return std::unexpected(seat.error());
  return tables::TakeSeat{.player = asker.player,
                          .name = std::move(asker.display_name),
                          .seat = *seat,
                          .contribution = std::move(*request.mutable_contribution()),
                          .invite = std::move(*request.mutable_invite()),
                          .contribute_later = request.contribute_later()};
}

Expected<tables::SeatCommand> command_of(const lobby::v1::AddBotRequest& request,
                                         const accounts::Identity& asker) {
  return bot_of(request.bot(), asker.player);
}

Expected<tables::SeatCommand> command_of(const lobby::v1::StartTableRequest& request,
                                         const accounts::Identity& asker) {
  return tables::Start{
      .asker = asker.player, .strategy = request.strategy(), .bot_level = request.bot_level()};
}

Expected<tables::SeatCommand> command_of(const lobby::v1::FreeSeatRequest& request,
                                         const accounts::Identity& asker) {
  const auto seat = seat_of(request.seat());
  if (!seat) return std::unexpected(seat.error());
  return tables::FreeSeat{.asker = asker.player, .seat = *seat};
}

}  // namespace tesela::services
