#include "server/services/lobby_service.h"

#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <optional>
#include <utility>

#include "engine/core/game.h"
#include "server/base/clock.h"
#include "server/base/text_encoding.h"
#include "server/bots/bots.h"
#include "server/directory/lobby/table_proto.h"
#include "server/directory/rematch.h"
#include "server/games/games.h"
#include "server/services/page_token.h"
#include "server/services/profile_service.h"
#include "server/services/seat_requests.h"

namespace tesela::services {
namespace {

using boost::asio::awaitable;

/// How far the clocks of servers on one database may be apart.
constexpr std::chrono::milliseconds kClocksApartMax = std::chrono::minutes{1};

google::protobuf::Timestamp timestamp_of(accounts::Tokens::Time time) {
  return google::protobuf::util::TimeUtil::TimeTToTimestamp(
      std::chrono::system_clock::to_time_t(time));
}

/// A daily game is the same for everybody: refuses requests that would change it.
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

/// The tiles of a daily game lie at the tries alone until its day is over: at another table there
/// are hints, bots that play them, and moves that are taken back. Around midnight another server's
/// clock may have begun the next day, or not have ended the last one.
Expected<void> check_not_of_the_day(const history::DailyGames& daily,
                                    const directory::NewTable& wanted) {
  if (!wanted.config) return {};
  const std::int64_t now_ms = base::unix_ms();
  const std::int64_t apart_ms = kClocksApartMax.count();
  for (const store::Day day : {base::day_of(now_ms - apart_ms), base::day_of(now_ms + apart_ms)}) {
    if (daily.are_laid_by(*wanted.config, wanted.game, day)) {
      return refuse(ErrorCode::kNotShownYet,
                    "These are the tiles of a daily game: until its day is over they are played "
                    "at its tries alone. Make the table on the next day, or lay other tiles.");
    }
  }
  return {};
}

}  // namespace

LobbyService::LobbyService(Parts parts)
    : parts_(parts), watches_(parts.io, parts.store, parts.feed) {}

std::vector<rpc::Method> LobbyService::methods() {
  using namespace lobby::v1;
  using Lobby = LobbyService;
  return rpc::methods_of(
      "tesela.lobby.v1.LobbyService",
      {
          rpc::method_by(*this, &Lobby::sign_in),
          rpc::method_by(*this, &Lobby::renew_token),
          rpc::method_by(*this, &Lobby::create_table),
          rpc::method_by(*this, &Lobby::join_table),
          rpc::method_by(*this, &Lobby::contribute),
          rpc::method_by(*this, &Lobby::change_seats<AddBotRequest, AddBotResponse>),
          rpc::method_by(*this, &Lobby::change_seats<StartTableRequest, StartTableResponse>),
          rpc::method_by(*this, &Lobby::rematch_table),
          rpc::method_by(*this, &Lobby::change_seats<FreeSeatRequest, FreeSeatResponse>),
          rpc::method_by(*this, &Lobby::remove_player),
          rpc::method_by(*this, &Lobby::list_strategies),
          rpc::method_by(*this, &Lobby::get_table),
          rpc::method_by(*this, &Lobby::list_tables),
          rpc::method_by(*this, &Lobby::watch_tables),
      });
}

/// The player of the token; none without a valid one.
std::optional<PlayerId> LobbyService::viewer(const rpc::Caller& caller) const {
  const auto identity = parts_.tokens.verify(caller.token);
  if (!identity) return std::nullopt;
  return identity->player;
}

awaitable<Expected<void>> LobbyService::may_list(const std::string& player_id,
                                                 std::optional<PlayerId> viewer) {
  const auto whose = base::parse_id<PlayerId>(player_id);
  if (!whose || viewer == whose) co_return Expected<void>{};
  const auto player = co_await parts_.store.player(*whose);
  if (player) co_return check_audience(*player, viewer);
  // There is no table of somebody who does not exist.
  if (player.error().code == ErrorCode::kNotFound) co_return Expected<void>{};
  co_return std::unexpected(player.error());
}

awaitable<Expected<LobbyService::Maker>> LobbyService::admit_maker(rpc::Caller caller) {
  auto identity = co_await parts_.players.admit_to_play(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(std::move(identity.error()));
  if (auto counted = parts_.admission.count_table(caller.quota, identity->player); !counted) {
    co_return std::unexpected(std::move(counted.error()));
  }
  auto slots =
      parts_.directory.live_tables().hold(parts_.admission, caller.quota, identity->player);
  if (!slots) co_return std::unexpected(std::move(slots.error()));
  Maker maker{.identity = std::move(*identity), .slots = {}};
  maker.slots.emplace_back(maker.identity.player, std::move(*slots));
  co_return maker;
}

awaitable<Expected<lobby::v1::SignInResponse>> LobbyService::sign_in(
    lobby::v1::SignInRequest request, rpc::Caller caller) {
  if (caller.quota && !caller.quota->take(quota::Act::kSignIn)) {
    co_return quota::too_often(quota::Act::kSignIn);
  }
  accounts::Players::Device device{
      .secret = request.device_secret(), .name = request.device(), .from = caller.address};
  const auto signed_in = co_await parts_.players.sign_in(request.display_name(), std::move(device));
  if (!signed_in) co_return std::unexpected(signed_in.error());
  lobby::v1::SignInResponse response;
  response.set_token(signed_in->proof.token);
  response.set_player_id(base::to_text(signed_in->identity.player));
  response.set_display_name(signed_in->identity.display_name);
  *response.mutable_expires_at() = timestamp_of(signed_in->proof.expires);
  co_return response;
}

awaitable<Expected<lobby::v1::RenewTokenResponse>> LobbyService::renew_token(
    lobby::v1::RenewTokenRequest request, rpc::Caller caller) {
  const auto renewed =
      co_await parts_.players.renew(std::move(caller.token), request.device_secret());
  if (!renewed) co_return std::unexpected(renewed.error());
  lobby::v1::RenewTokenResponse response;
  response.set_token(renewed->proof.token);
  *response.mutable_expires_at() = timestamp_of(renewed->proof.expires);
  co_return response;
}

awaitable<Expected<lobby::v1::CreateTableResponse>> LobbyService::create_table(
    lobby::v1::CreateTableRequest request, rpc::Caller caller) {
  auto maker = co_await admit_maker(std::move(caller));
  if (!maker) co_return std::unexpected(maker.error());
  const PlayerId owner = maker->identity.player;
  const bool daily = request.daily();
  if (daily) {
    if (auto right = check_daily(request); !right) co_return std::unexpected(right.error());
  }
  auto wanted = new_table_of(std::move(request), std::move(maker->identity));
  if (!wanted) co_return std::unexpected(wanted.error());
  if (auto free = check_not_of_the_day(parts_.daily_games, *wanted); !free) {
    co_return std::unexpected(std::move(free.error()));
  }
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
  if (!row && row.error().code == ErrorCode::kNotFound) co_return accounts::unknown_player();
  if (!row) co_return std::unexpected(row.error());
  lobby::v1::CreateTableResponse response;
  *response.mutable_table() = directory::to_proto(*row, owner);
  co_return response;
}

awaitable<Expected<directory::TableSlots>> LobbyService::hold_seat(TableId table, PlayerId player,
                                                                   quota::QuotaPtr from) {
  auto& live = parts_.directory.live_tables();
  if (live.counts(table, player)) co_return directory::TableSlots{};
  auto slots = live.hold(parts_.admission, from, player);
  if (slots) co_return directory::TableSlots{{player, std::move(*slots)}};
  const auto row = co_await parts_.directory.stored(table);
  const bool sits =
      row && std::ranges::find(row->seats, player, &store::SeatRow::player) != row->seats.end();
  if (sits) co_return directory::TableSlots{};
  co_return std::unexpected(std::move(slots.error()));
}

awaitable<Expected<lobby::v1::JoinTableResponse>> LobbyService::join_table(
    lobby::v1::JoinTableRequest request, rpc::Caller caller) {
  auto identity = co_await parts_.players.admit_to_play(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto id = rpc::table_id_of(request.table_id());
  if (!id) co_return std::unexpected(id.error());
  const PlayerId player = identity->player;
  auto command = command_of(std::move(request), std::move(*identity));
  if (!command) co_return std::unexpected(std::move(command.error()));
  auto slots = co_await hold_seat(*id, player, caller.quota);
  if (!slots) co_return std::unexpected(std::move(slots.error()));
  command->from = caller.quota;
  tables::SeatCommand change = std::move(*command);
  const auto row =
      co_await parts_.directory.apply(*id, std::move(change), caller.quota, std::move(*slots));
  if (!row) co_return std::unexpected(row.error());
  lobby::v1::JoinTableResponse response;
  *response.mutable_table() = directory::to_proto(*row, player);
  co_return response;
}

template <class Request, class Response>
awaitable<Expected<Response>> LobbyService::change_seats(Request request, rpc::Caller caller) {
  auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto id = rpc::table_id_of(request.table_id());
  if (!id) co_return std::unexpected(id.error());
  const PlayerId asker = identity->player;
  auto command = command_of(std::move(request), std::move(*identity));
  if (!command) co_return std::unexpected(std::move(command.error()));
  const auto row = co_await parts_.directory.apply(*id, std::move(*command), caller.quota);
  if (!row) co_return std::unexpected(row.error());
  Response response;
  *response.mutable_table() = directory::to_proto(*row, asker);
  co_return response;
}

awaitable<Expected<lobby::v1::ContributeResponse>> LobbyService::contribute(
    lobby::v1::ContributeRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto id = rpc::table_id_of(request.table_id());
  if (!id) co_return std::unexpected(id.error());
  // Not made in the call: GCC 12 destroys an aggregate in a co_await twice.
  tables::SeatCommand command = tables::AddToDice{
      .player = identity->player, .bytes = std::move(*request.mutable_contribution())};
  const auto row = co_await parts_.directory.apply(*id, std::move(command), caller.quota);
  if (!row) co_return std::unexpected(row.error());
  const lobby::v1::Table table = directory::to_proto(*row);
  const auto seat = std::ranges::find(row->seats, identity->player, &store::SeatRow::player);
  lobby::v1::ContributeResponse response;
  *response.mutable_seat() = table.seats(static_cast<int>(seat - row->seats.begin()));
  response.set_begun(row->state != store::TableState::kOpen);
  co_return response;
}

awaitable<Expected<lobby::v1::RemovePlayerResponse>> LobbyService::remove_player(
    lobby::v1::RemovePlayerRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto id = rpc::table_id_of(request.table_id());
  if (!id) co_return std::unexpected(id.error());
  const auto player = base::parse_id<PlayerId>(request.player_id());
  if (!player) {
    co_return refuse(ErrorCode::kInvalidArgument,
                     "player_id must be the id of a player, as SeatOccupant has it.");
  }
  tables::SeatCommand command = tables::Remove{.asker = identity->player, .player = *player};
  const auto row = co_await parts_.directory.apply(*id, std::move(command), caller.quota);
  if (!row) co_return std::unexpected(row.error());
  co_return lobby::v1::RemovePlayerResponse{};
}

awaitable<Expected<lobby::v1::RematchTableResponse>> LobbyService::rematch_table(
    lobby::v1::RematchTableRequest request, rpc::Caller caller) {
  auto maker = co_await admit_maker(std::move(caller));
  if (!maker) co_return std::unexpected(maker.error());
  const auto id = rpc::table_id_of(request.table_id());
  if (!id) co_return std::unexpected(id.error());
  const auto over = co_await parts_.directory.stored(*id);
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
    lobby::v1::ListStrategiesRequest request, rpc::Caller /*caller*/) {
  const auto game = request.game().empty() ? Expected<const games::GameEntry*>(nullptr)
                                           : games::find_game(request.game());
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

awaitable<Expected<lobby::v1::GetTableResponse>> LobbyService::get_table(
    lobby::v1::GetTableRequest request, rpc::Caller caller) {
  const auto id = rpc::table_id_of(request.table_id());
  if (!id) co_return std::unexpected(id.error());
  const auto row = co_await parts_.directory.stored(*id);
  if (!row) co_return std::unexpected(row.error());
  lobby::v1::GetTableResponse response;
  *response.mutable_table() = directory::to_proto(*row, viewer(caller));
  co_return response;
}

awaitable<Expected<lobby::v1::ListTablesResponse>> LobbyService::list_tables(
    lobby::v1::ListTablesRequest request, rpc::Caller caller) {
  const auto size = page_size_of(request.page_size());
  if (!size) co_return std::unexpected(size.error());
  const auto start = table_page_start(request.page_token());
  if (!start) co_return std::unexpected(start.error());
  const auto asker = viewer(caller);
  const auto filter = directory::from_proto(request.filter(), asker);
  if (!filter) co_return std::unexpected(filter.error());
  if (const auto seen = co_await may_list(request.filter().player_id(), asker); !seen) {
    co_return std::unexpected(seen.error());
  }
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

awaitable<Expected<rpc::StreamPtr>> LobbyService::watch_tables(
    lobby::v1::WatchTablesRequest request, rpc::Caller caller) {
  const auto watcher = viewer(caller);
  if (const auto seen = co_await may_list(request.filter().player_id(), watcher); !seen) {
    co_return std::unexpected(seen.error());
  }
  auto slots = parts_.admission.hold(quota::Held::kWatch, caller.quota, watcher);
  if (!slots) co_return std::unexpected(std::move(slots.error()));
  const auto executor = co_await boost::asio::this_coro::executor;
  co_return watches_.watch(request.filter(), watcher, std::move(*slots), executor);
}

}  // namespace tesela::services
