#include "server/services/lobby_service.h"

#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "engine/core/game.h"
#include "server/base/clock.h"
#include "server/base/text_encoding.h"
#include "server/bots/bots.h"
#include "server/directory/rematch.h"
#include "server/directory/table_proto.h"
#include "server/games/games.h"
#include "server/rpc/grpc_status.h"
#include "server/rpc/unary_call.h"
#include "server/services/page_token.h"

namespace tesela::services {
namespace {

using boost::asio::awaitable;

google::protobuf::Timestamp timestamp_of(accounts::Tokens::Time time) {
  return google::protobuf::util::TimeUtil::TimeTToTimestamp(
      std::chrono::system_clock::to_time_t(time));
}

Expected<Seat> seat_of(std::uint32_t seat) {
  if (seat < kSeatsMax) return Seat{static_cast<std::uint8_t>(seat)};
  return refuse(ErrorCode::kInvalidArgument, "seat must be below " + std::to_string(kSeatsMax) +
                                                 ", not " + std::to_string(seat) + ".");
}

/// A seat that need not be given.
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

Expected<tables::SeatCommand> command_of(lobby::v1::JoinTableRequest request,
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

/// Everybody has the same chances in a daily game.
Expected<void> check_daily(const lobby::v1::CreateTableRequest& request) {
  if (auto config = history::daily_config(request.game()); !config) {
    return std::unexpected(std::move(config.error()));
  }
  if (!request.has_config() && request.bots().empty() && !request.watch_only() &&
      request.contribution().empty() && !request.contribute_later()) {
    return {};
  }
  return refuse(ErrorCode::kInvalidArgument,
                "A daily game is the same for everybody: leave config, bots, watch_only, "
                "contribution and contribute_later out.");
}

}  // namespace

LobbyService::LobbyService(Parts parts)
    : parts_(parts), watches_(parts.io, parts.store, parts.feed) {}

grpc::ServerUnaryReactor* LobbyService::SignIn(grpc::CallbackServerContext* context,
                                               const lobby::v1::SignInRequest* request,
                                               lobby::v1::SignInResponse* response) {
  return rpc::answer(parts_, context, response,
                     sign_in(rpc::quota_of(parts_.admission, *context), *request));
}

grpc::ServerUnaryReactor* LobbyService::RenewToken(grpc::CallbackServerContext* context,
                                                   const lobby::v1::RenewTokenRequest* request,
                                                   lobby::v1::RenewTokenResponse* response) {
  return rpc::answer(parts_, context, response, renew_token(rpc::token_of(*context), *request));
}

grpc::ServerUnaryReactor* LobbyService::CreateTable(grpc::CallbackServerContext* context,
                                                    const lobby::v1::CreateTableRequest* request,
                                                    lobby::v1::CreateTableResponse* response) {
  return rpc::answer(parts_, context, response, create_table(call_of(*context), *request));
}

grpc::ServerUnaryReactor* LobbyService::JoinTable(grpc::CallbackServerContext* context,
                                                  const lobby::v1::JoinTableRequest* request,
                                                  lobby::v1::JoinTableResponse* response) {
  return rpc::answer(parts_, context, response,
                     change_seats<lobby::v1::JoinTableResponse>(call_of(*context), *request));
}

grpc::ServerUnaryReactor* LobbyService::Contribute(grpc::CallbackServerContext* context,
                                                   const lobby::v1::ContributeRequest* request,
                                                   lobby::v1::ContributeResponse* response) {
  return rpc::answer(parts_, context, response, contribute(call_of(*context), *request));
}

grpc::ServerUnaryReactor* LobbyService::AddBot(grpc::CallbackServerContext* context,
                                               const lobby::v1::AddBotRequest* request,
                                               lobby::v1::AddBotResponse* response) {
  return rpc::answer(parts_, context, response,
                     change_seats<lobby::v1::AddBotResponse>(call_of(*context), *request));
}

grpc::ServerUnaryReactor* LobbyService::StartTable(grpc::CallbackServerContext* context,
                                                   const lobby::v1::StartTableRequest* request,
                                                   lobby::v1::StartTableResponse* response) {
  return rpc::answer(parts_, context, response,
                     change_seats<lobby::v1::StartTableResponse>(call_of(*context), *request));
}

grpc::ServerUnaryReactor* LobbyService::RematchTable(grpc::CallbackServerContext* context,
                                                     const lobby::v1::RematchTableRequest* request,
                                                     lobby::v1::RematchTableResponse* response) {
  return rpc::answer(parts_, context, response, rematch_table(call_of(*context), *request));
}

grpc::ServerUnaryReactor* LobbyService::FreeSeat(grpc::CallbackServerContext* context,
                                                 const lobby::v1::FreeSeatRequest* request,
                                                 lobby::v1::FreeSeatResponse* response) {
  return rpc::answer(parts_, context, response,
                     change_seats<lobby::v1::FreeSeatResponse>(call_of(*context), *request));
}

grpc::ServerUnaryReactor* LobbyService::ListStrategies(
    grpc::CallbackServerContext* context, const lobby::v1::ListStrategiesRequest* request,
    lobby::v1::ListStrategiesResponse* response) {
  return rpc::answer(parts_, context, response, list_strategies(request->game()));
}

grpc::ServerUnaryReactor* LobbyService::GetTable(grpc::CallbackServerContext* context,
                                                 const lobby::v1::GetTableRequest* request,
                                                 lobby::v1::GetTableResponse* response) {
  return rpc::answer(parts_, context, response,
                     get_table(rpc::token_of(*context), request->table_id()));
}

grpc::ServerUnaryReactor* LobbyService::ListTables(grpc::CallbackServerContext* context,
                                                   const lobby::v1::ListTablesRequest* request,
                                                   lobby::v1::ListTablesResponse* response) {
  return rpc::answer(parts_, context, response, list_tables(rpc::token_of(*context), *request));
}

grpc::ServerWriteReactor<lobby::v1::WatchTablesResponse>* LobbyService::WatchTables(
    grpc::CallbackServerContext* context, const lobby::v1::WatchTablesRequest* request) {
  const auto watcher = viewer(rpc::token_of(*context));
  return watches_.watch(request->filter(), watcher,
                        rpc::slots_of(parts_.admission, *context, quota::Held::kWatch, watcher));
}

/// Who looks on: nobody in particular when there is no good token.
std::optional<PlayerId> LobbyService::viewer(const std::string& token) const {
  const auto identity = parts_.tokens.verify(token);
  if (!identity) return std::nullopt;
  return identity->player;
}

LobbyService::Call LobbyService::call_of(const grpc::CallbackServerContext& context) const {
  return {.token = rpc::token_of(context), .from = rpc::quota_of(parts_.admission, context)};
}

awaitable<Expected<LobbyService::Maker>> LobbyService::admit_maker(Call call) {
  auto identity = co_await parts_.players.admit(std::move(call.token), call.from);
  if (!identity) co_return std::unexpected(std::move(identity.error()));
  if (auto counted = parts_.admission.count_table(call.from, identity->player); !counted) {
    co_return std::unexpected(std::move(counted.error()));
  }
  auto slots = parts_.directory.live_tables().hold(parts_.admission, call.from, identity->player);
  if (!slots) co_return std::unexpected(std::move(slots.error()));
  Maker maker{.identity = std::move(*identity), .slots = {}};
  maker.slots.push_back(std::move(*slots));
  co_return maker;
}

awaitable<Expected<lobby::v1::SignInResponse>> LobbyService::sign_in(
    quota::QuotaPtr from, lobby::v1::SignInRequest request) {
  if (from && !from->take(quota::Act::kSignIn)) co_return quota::too_often(quota::Act::kSignIn);
  const auto signed_in =
      co_await parts_.players.sign_in(request.display_name(), request.device_secret());
  if (!signed_in) co_return std::unexpected(signed_in.error());
  lobby::v1::SignInResponse response;
  response.set_token(signed_in->proof.token);
  response.set_player_id(base::to_text(signed_in->identity.player));
  response.set_display_name(signed_in->identity.display_name);
  *response.mutable_expires_at() = timestamp_of(signed_in->proof.expires);
  co_return response;
}

awaitable<Expected<lobby::v1::RenewTokenResponse>> LobbyService::renew_token(
    std::string token, lobby::v1::RenewTokenRequest request) {
  const auto renewed = co_await parts_.players.renew(std::move(token), request.device_secret());
  if (!renewed) co_return std::unexpected(renewed.error());
  lobby::v1::RenewTokenResponse response;
  response.set_token(renewed->proof.token);
  *response.mutable_expires_at() = timestamp_of(renewed->proof.expires);
  co_return response;
}

awaitable<Expected<lobby::v1::CreateTableResponse>> LobbyService::create_table(
    Call call, lobby::v1::CreateTableRequest request) {
  auto maker = co_await admit_maker(std::move(call));
  if (!maker) co_return std::unexpected(maker.error());
  const PlayerId owner = maker->identity.player;
  const bool daily = request.daily();
  if (daily) {
    if (auto right = check_daily(request); !right) co_return std::unexpected(right.error());
  }
  auto wanted = new_table_of(std::move(request), std::move(maker->identity));
  if (!wanted) co_return std::unexpected(wanted.error());
  wanted->slots = std::move(maker->slots);
  const store::Day today = base::today();
  if (daily) {
    wanted->daily =
        directory::DailyDeal{.day = today, .seed = parts_.daily_games.seed(wanted->game, today)};
  }
  const auto row = co_await parts_.directory.create(std::move(*wanted));
  if (!row && row.error().code == ErrorCode::kAlreadyTried) {
    co_return refuse(ErrorCode::kAlreadyTried, row.error().message + " The next one begins on " +
                                                   base::date_text(today + std::chrono::days{1}) +
                                                   " at 00:00 UTC.");
  }
  if (!row && row.error().code == ErrorCode::kNotFound) co_return accounts::stranger();
  if (!row) co_return std::unexpected(row.error());
  lobby::v1::CreateTableResponse response;
  *response.mutable_table() = directory::to_proto(*row, owner);
  co_return response;
}

template <class Response, class Request>
awaitable<Expected<Response>> LobbyService::change_seats(Call call, Request request) {
  auto identity = co_await parts_.players.admit(std::move(call.token), call.from);
  if (!identity) co_return std::unexpected(identity.error());
  const auto id = rpc::table_id_of(request.table_id());
  if (!id) co_return std::unexpected(id.error());
  const PlayerId asker = identity->player;
  auto command = command_of(std::move(request), std::move(*identity));
  if (!command) co_return std::unexpected(std::move(command.error()));
  const auto row = co_await parts_.directory.apply(*id, std::move(*command), call.from);
  if (!row) co_return std::unexpected(row.error());
  Response response;
  *response.mutable_table() = directory::to_proto(*row, asker);
  co_return response;
}

awaitable<Expected<lobby::v1::ContributeResponse>> LobbyService::contribute(
    Call call, lobby::v1::ContributeRequest request) {
  const auto identity = co_await parts_.players.admit(std::move(call.token), std::move(call.from));
  if (!identity) co_return std::unexpected(identity.error());
  const auto id = rpc::table_id_of(request.table_id());
  if (!id) co_return std::unexpected(id.error());
  // Not made in the call: GCC 12 destroys an aggregate in a co_await twice.
  tables::SeatCommand command = tables::AddToDice{
      .player = identity->player, .bytes = std::move(*request.mutable_contribution())};
  const auto row = co_await parts_.directory.apply(*id, std::move(command));
  if (!row) co_return std::unexpected(row.error());
  const lobby::v1::Table table = directory::to_proto(*row);
  const auto seat = std::ranges::find(row->seats, identity->player, &store::SeatRow::player);
  lobby::v1::ContributeResponse response;
  *response.mutable_seat() = table.seats(static_cast<int>(seat - row->seats.begin()));
  response.set_begun(row->state != store::TableState::kOpen);
  co_return response;
}

awaitable<Expected<lobby::v1::RematchTableResponse>> LobbyService::rematch_table(
    Call call, lobby::v1::RematchTableRequest request) {
  auto maker = co_await admit_maker(std::move(call));
  if (!maker) co_return std::unexpected(maker.error());
  const auto id = rpc::table_id_of(request.table_id());
  if (!id) co_return std::unexpected(id.error());
  const auto over = co_await parts_.store.table(*id);
  if (!over) co_return std::unexpected(over.error());
  auto wanted =
      directory::rematch(*over, maker->identity, std::move(*request.mutable_contribution()),
                         request.contribute_later());
  if (!wanted) co_return std::unexpected(wanted.error());
  wanted->table.slots = std::move(maker->slots);
  const auto row =
      co_await parts_.directory.rematch(*id, std::move(wanted->table), std::move(wanted->seat));
  if (!row) co_return std::unexpected(row.error());
  lobby::v1::RematchTableResponse response;
  *response.mutable_table() = directory::to_proto(*row, maker->identity.player);
  co_return response;
}

awaitable<Expected<lobby::v1::ListStrategiesResponse>> LobbyService::list_strategies(
    std::string name) {
  const auto game =
      name.empty() ? Expected<const games::GameEntry*>(nullptr) : games::find_game(name);
  if (!game) co_return std::unexpected(game.error());
  lobby::v1::ListStrategiesResponse response;
  std::string_view listed;
  for (const Listed& strategy : bots::strategies_on_levels()) {
    if (*game != nullptr && (*game)->name != strategy.game) continue;
    if (std::exchange(listed, strategy.game) != strategy.game) {
      for (const auto& bot : parts_.remote_bots.offered(strategy.game)) {
        *response.add_strategies() = directory::to_proto(bot);
      }
    }
    *response.add_strategies() = directory::to_proto(strategy);
  }
  co_return response;
}

awaitable<Expected<lobby::v1::GetTableResponse>> LobbyService::get_table(std::string token,
                                                                         std::string table_id) {
  const auto id = rpc::table_id_of(table_id);
  if (!id) co_return std::unexpected(id.error());
  const auto row = co_await parts_.store.table(*id);
  if (!row) co_return std::unexpected(row.error());
  lobby::v1::GetTableResponse response;
  *response.mutable_table() = directory::to_proto(*row, viewer(token));
  co_return response;
}

awaitable<Expected<lobby::v1::ListTablesResponse>> LobbyService::list_tables(
    std::string token, lobby::v1::ListTablesRequest request) {
  const auto size = page_size_of(request.page_size());
  if (!size) co_return std::unexpected(size.error());
  const auto start = table_page_start(request.page_token());
  if (!start) co_return std::unexpected(start.error());
  const auto asker = viewer(token);
  const auto filter = directory::from_proto(request.filter(), asker);
  if (!filter) co_return std::unexpected(filter.error());
  // One more than asked for tells whether there is a next page.
  auto rows = co_await parts_.store.tables(*filter, *start, *size + 1);
  if (!rows) co_return std::unexpected(rows.error());
  lobby::v1::ListTablesResponse response;
  response.set_next_page_token(cut_page(*rows, *size));
  PageRoom room;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    lobby::v1::Table table = directory::to_proto((*rows)[i], asker);
    if (!room.takes(table.ByteSizeLong())) {
      response.set_next_page_token(to_page_token(cursor_at((*rows)[i - 1])));
      break;
    }
    *response.add_tables() = std::move(table);
  }
  co_return response;
}

}  // namespace tesela::services
