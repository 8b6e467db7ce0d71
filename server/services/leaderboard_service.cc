#include "server/services/leaderboard_service.h"

#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "server/base/clock.h"
#include "server/games/fair.h"
#include "server/games/games.h"
#include "server/history/boards.h"
#include "server/services/page_token.h"

namespace tesela::services {

using boost::asio::awaitable;
using google::protobuf::util::TimeUtil;

std::vector<rpc::Method> LeaderboardService::methods() {
  return rpc::methods_of("tesela.lobby.v1.LeaderboardService",
                         {rpc::method_by(*this, &LeaderboardService::get_rating),
                          rpc::method_by(*this, &LeaderboardService::get_board),
                          rpc::method_by(*this, &LeaderboardService::get_daily)});
}

awaitable<Expected<lobby::v1::GetRatingResponse>> LeaderboardService::get_rating(
    lobby::v1::GetRatingRequest request, rpc::Caller /*caller*/) {
  const auto game = games::find_game(request.game());
  if (!game) co_return std::unexpected(game.error());
  const auto id = rpc::player_id_of(request.player_id());
  if (!id) co_return std::unexpected(id.error());
  const auto player = co_await parts_.store.player(*id);
  if (!player) co_return std::unexpected(player.error());
  const auto row = co_await parts_.store.rating(request.game(), *id);
  if (!row) co_return std::unexpected(row.error());
  lobby::v1::GetRatingResponse response;
  response.set_display_name(player->display_name);
  *response.mutable_rating() = history::to_proto(*row);
  co_return response;
}

Expected<store::BoardRange> LeaderboardService::range_of(
    const std::string& token, const lobby::v1::GetBoardRequest& request) const {
  const auto size = page_size_of(request.page_size());
  if (!size) return std::unexpected(size.error());
  store::BoardRange range{.max = *size};
  if (request.around_me()) {
    const auto identity = parts_.tokens.verify(token);
    if (!identity) return std::unexpected(identity.error());
    range.around = identity->player;
  } else if (!request.page_token().empty()) {
    const auto after = board_page_start(request.page_token());
    if (!after) return std::unexpected(after.error());
    range.after = *after;
  }
  return range;
}

awaitable<Expected<lobby::v1::GetBoardResponse>> LeaderboardService::get_board(
    lobby::v1::GetBoardRequest request, rpc::Caller caller) {
  const auto key = history::from_proto(request.board());
  if (!key) co_return std::unexpected(key.error());
  auto range = range_of(caller.token, request);
  if (!range) co_return std::unexpected(range.error());
  const std::size_t size = range->max;
  // One more than asked for tells whether there is a next page; around somebody there is none.
  if (!range->around) ++range->max;
  const auto entries = co_await parts_.store.board(*key, *range);
  if (!entries) co_return std::unexpected(entries.error());
  lobby::v1::GetBoardResponse response;
  *response.mutable_board() = history::to_proto(*key);
  PageRoom room;
  for (std::size_t i = 0; i < entries->size(); ++i) {
    lobby::v1::BoardEntry entry = history::to_proto((*entries)[i], *key);
    if (i == size || !room.takes(entry.ByteSizeLong())) {
      response.set_next_page_token(to_page_token(cursor_at((*entries)[i - 1])));
      break;
    }
    *response.add_entries() = std::move(entry);
  }
  co_return response;
}

awaitable<Expected<lobby::v1::GetDailyResponse>> LeaderboardService::get_daily(
    lobby::v1::GetDailyRequest request, rpc::Caller /*caller*/) {
  const auto config = history::daily_config(request.game());
  if (!config) co_return std::unexpected(config.error());
  const auto day = history::day_of(request.date());
  if (!day) co_return std::unexpected(day.error());
  const store::Day today = base::today();
  if (*day > today) {
    co_return refuse(ErrorCode::kInvalidArgument,
                     "The daily game of " + request.date() + " is not known before its day.");
  }
  const Seed seed = parts_.daily_games.seed(request.game(), *day);
  const auto promise = games::commitment(
      seed, {.game = request.game(), .config = config->bytes, .seats = config->seats});
  lobby::v1::GetDailyResponse response;
  response.set_date(base::date_text(*day));
  *response.mutable_board() =
      history::to_proto(history::daily_board(request.game(), *config, *day));
  response.mutable_config()->ParseFromString(config->any);  // which has just been encoded
  response.set_commitment(promise.data(), promise.size());
  *response.mutable_ends_at() = TimeUtil::SecondsToTimestamp(
      std::chrono::sys_seconds{*day + std::chrono::days{1}}.time_since_epoch().count());
  if (*day < today) response.set_server_seed(seed.data(), seed.size());
  co_return response;
}

}  // namespace tesela::services
