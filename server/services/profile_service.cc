#include "server/services/profile_service.h"

#include <google/protobuf/util/time_util.h>

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "server/base/clock.h"
#include "server/base/scale_limits.h"
#include "server/base/text_encoding.h"
#include "server/codec/shown_text.h"
#include "server/games/games.h"
#include "server/history/boards.h"

namespace tesela::services {
namespace {

using boost::asio::awaitable;
using google::protobuf::util::TimeUtil;
using std::chrono::days;

std::string_view handle_of(const store::PlayerRow& row) {
  const std::string_view name = row.display_name;
  return name.starts_with(store::kHandleMark) ? name.substr(1) : std::string_view{};
}

/// The days in a row that end today or yesterday.
std::uint32_t streak_of(const std::set<store::Day>& played, store::Day today) {
  std::uint32_t streak = 0;
  for (store::Day day = played.contains(today) ? today : today - days{1}; played.contains(day);
       day -= days{1}) {
    ++streak;
  }
  return streak;
}

awaitable<Expected<void>> add_ratings(ProfileSources sources, PlayerId player,
                                      account::v1::GetProfileResponse& profile) {
  const store::Day since = base::today() - limits::kRatingDays;
  for (const auto& game : games::all_games()) {
    const std::string name(game.name);
    const auto row = co_await sources.store.rating(name, player);
    if (!row) co_return std::unexpected(row.error());
    if (row->games == 0) continue;
    const auto went = co_await sources.profiles.rating_days(name, player, since);
    if (!went) co_return std::unexpected(went.error());
    account::v1::RatedGame& rated = *profile.add_rated_games();
    rated.set_game(name);
    *rated.mutable_rating() = history::to_proto(*row);
    for (const store::RatingPoint& point : *went) {
      account::v1::RatingDay& day = *rated.add_days();
      day.set_date(base::date_text(point.day));
      day.set_shown(point.points);
    }
  }
  co_return Expected<void>{};
}

awaitable<Expected<void>> add_scores(store::Profiles& profiles, PlayerId player,
                                     account::v1::GetProfileResponse& profile) {
  const auto lines =
      co_await profiles.newest_scores(player, limits::kProfileScoresMax, limits::kProfileDailyMax);
  if (!lines) co_return std::unexpected(lines.error());
  for (const store::ScoreLine& line : lines->best) {
    account::v1::BestScore& best = *profile.add_best_scores();
    *best.mutable_board() = history::to_proto(line.board);
    best.set_points(line.points);
    *best.mutable_reached_at() = TimeUtil::MillisecondsToTimestamp(line.at_ms);
    best.set_table_id(base::to_text(line.table));
  }
  std::map<std::string, std::set<store::Day>> played;
  for (const store::ScoreLine& line : lines->daily) {
    played[line.board.game].insert(*line.board.day);
  }
  for (const auto& [game, on] : played) {
    const std::uint32_t streak = streak_of(on, base::today());
    if (streak == 0) continue;
    account::v1::DailyStreak& daily = *profile.add_daily_streaks();
    daily.set_game(game);
    daily.set_days(streak);
  }
  co_return Expected<void>{};
}

Expected<store::Audience> audience_of(account::v1::Audience audience) {
  switch (audience) {
    case account::v1::AUDIENCE_EVERYBODY:
    case account::v1::AUDIENCE_PLAYERS:
    case account::v1::AUDIENCE_NOBODY:
      return static_cast<store::Audience>(audience);
    default:
      return refuse(ErrorCode::kInvalidArgument,
                    "audience must be one of EVERYBODY, PLAYERS and NOBODY.");
  }
}

}  // namespace

Expected<void> check_audience(const store::PlayerRow& player, std::optional<PlayerId> viewer) {
  if (viewer == player.id) return {};
  if (player.audience == store::Audience::kNobody) {
    return refuse(ErrorCode::kPermissionDenied, "This player shows the profile to nobody.");
  }
  if (player.audience == store::Audience::kPlayers && !viewer) {
    return refuse(ErrorCode::kPermissionDenied,
                  "This player shows the profile to players: sign in first.");
  }
  return {};
}

awaitable<Expected<account::v1::GetProfileResponse>> profile_of(ProfileSources sources,
                                                                store::PlayerRow player) {
  account::v1::GetProfileResponse profile;
  profile.set_player_id(base::to_text(player.id));
  profile.set_display_name(player.display_name);
  profile.set_handle(std::string(handle_of(player)));
  *profile.mutable_created_at() = TimeUtil::MillisecondsToTimestamp(player.created_ms);
  profile.set_bot(player.kind == store::PlayerKind::kBot);
  profile.set_audience(static_cast<account::v1::Audience>(player.audience));
  if (const auto added = co_await add_ratings(sources, player.id, profile); !added) {
    co_return std::unexpected(added.error());
  }
  if (const auto added = co_await add_scores(sources.profiles, player.id, profile); !added) {
    co_return std::unexpected(added.error());
  }
  co_return profile;
}

std::vector<rpc::Method> ProfileService::methods() {
  return rpc::methods_of("tesela.account.v1.ProfileService",
                         {rpc::method_by(*this, &ProfileService::get_profile),
                          rpc::method_by(*this, &ProfileService::find_players),
                          rpc::method_by(*this, &ProfileService::claim_handle),
                          rpc::method_by(*this, &ProfileService::set_audience)});
}

awaitable<Expected<store::PlayerRow>> ProfileService::meant_by(
    account::v1::GetProfileRequest request) {
  if (request.has_player_id()) {
    const auto id = rpc::player_id_of(request.player_id());
    if (!id) co_return std::unexpected(id.error());
    co_return co_await parts_.sources.store.player(*id);
  }
  if (!request.has_handle()) {
    co_return refuse(ErrorCode::kInvalidArgument, "Say whose profile: player_id or handle.");
  }
  auto handle = codec::read_handle(request.handle());
  // What cannot be a handle is nobody's.
  if (!handle) co_return refuse(ErrorCode::kNotFound, "Nobody has this handle.");
  co_return co_await parts_.sources.profiles.holder(std::move(handle->key));
}

awaitable<Expected<account::v1::GetProfileResponse>> ProfileService::get_profile(
    account::v1::GetProfileRequest request, rpc::Caller caller) {
  auto player = co_await meant_by(std::move(request));
  if (!player) co_return std::unexpected(std::move(player.error()));
  if (player->erased_ms) co_return refuse(ErrorCode::kNotFound, "There is no such player.");
  std::optional<PlayerId> viewer;
  if (const auto identity = parts_.tokens.verify(caller.token)) viewer = identity->player;
  if (const auto seen = check_audience(*player, viewer); !seen) {
    co_return std::unexpected(seen.error());
  }
  co_return co_await profile_of(parts_.sources, std::move(*player));
}

awaitable<Expected<account::v1::FindPlayersResponse>> ProfileService::find_players(
    account::v1::FindPlayersRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  auto key = codec::handle_prefix_key(request.handle_prefix());
  if (!key) co_return std::unexpected(std::move(key.error()));
  const auto found =
      co_await parts_.sources.profiles.holders(std::move(*key), limits::kPlayersFoundMax);
  if (!found) co_return std::unexpected(found.error());
  account::v1::FindPlayersResponse response;
  for (const store::PlayerRow& row : *found) {
    if (row.audience == store::Audience::kNobody) continue;
    account::v1::FoundPlayer& player = *response.add_players();
    player.set_player_id(base::to_text(row.id));
    player.set_display_name(row.display_name);
  }
  co_return response;
}

awaitable<Expected<account::v1::ClaimHandleResponse>> ProfileService::claim_handle(
    account::v1::ClaimHandleRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  auto handle = codec::read_handle(request.handle());
  if (!handle) co_return std::unexpected(std::move(handle.error()));
  const std::int64_t now_ms = base::unix_ms();
  store::HandleClaim claim{.player = identity->player,
                           .handle = handle->shown,
                           .key = std::move(handle->key),
                           .now_ms = now_ms,
                           .changed_before_ms = now_ms - limits::kHandleKept.count(),
                           .kept_until_ms = now_ms + limits::kHandleKept.count()};
  const auto claimed = co_await parts_.sources.profiles.claim_handle(std::move(claim));
  if (!claimed && claimed.error().code == ErrorCode::kNotFound)
    co_return accounts::unknown_player();
  if (!claimed) co_return std::unexpected(claimed.error());
  account::v1::ClaimHandleResponse response;
  response.set_display_name(store::kHandleMark + handle->shown);
  co_return response;
}

awaitable<Expected<account::v1::SetAudienceResponse>> ProfileService::set_audience(
    account::v1::SetAudienceRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto audience = audience_of(request.audience());
  if (!audience) co_return std::unexpected(audience.error());
  const auto set = co_await parts_.sources.profiles.set_audience(identity->player, *audience);
  if (!set) co_return std::unexpected(set.error());
  co_return account::v1::SetAudienceResponse{};
}

}  // namespace tesela::services
