#include "server/services/friends/friend_proto.h"

#include <google/protobuf/util/time_util.h>

#include "server/base/friend_limits.h"
#include "server/base/text_encoding.h"

namespace tesela::services {
namespace {

using google::protobuf::util::TimeUtil;

account::v1::FoundPlayer to_proto(const store::NamedPlayer& player) {
  account::v1::FoundPlayer found;
  found.set_player_id(base::to_text(player.id));
  found.set_display_name(player.name);
  return found;
}

account::v1::Friend to_proto(const store::FollowedPlayer& followed, std::int64_t now_ms) {
  account::v1::Friend shown;
  *shown.mutable_player() = to_proto(followed.player);
  if (followed.hidden) return shown;
  shown.set_here(now_ms - followed.here_ms < limits::kHereTime.count());
  if (!followed.table) return shown;
  shown.set_table_id(base::to_text(*followed.table));
  shown.set_game(followed.game);
  return shown;
}

}  // namespace

account::v1::ListFriendsResponse to_proto(const store::FriendLists& lists, std::int64_t now_ms) {
  account::v1::ListFriendsResponse response;
  for (const auto& followed : lists.follows) *response.add_follows() = to_proto(followed, now_ms);
  for (const auto& player : lists.blocked) *response.add_blocked() = to_proto(player);
  response.set_challengers(static_cast<account::v1::Challengers>(lists.challengers));
  return response;
}

account::v1::GameChallenge to_proto(const store::ChallengeRow& row, PlayerId viewer) {
  account::v1::GameChallenge challenge;
  challenge.set_challenge_id(row.id);
  *challenge.mutable_from() = to_proto(row.from);
  if (row.to) *challenge.mutable_to() = to_proto(*row.to);
  challenge.set_game(row.game);
  challenge.mutable_config()->ParseFromString(row.config);
  challenge.mutable_options()->ParseFromString(row.options);
  *challenge.mutable_created_at() = TimeUtil::MillisecondsToTimestamp(row.created_ms);
  *challenge.mutable_expires_at() = TimeUtil::MillisecondsToTimestamp(row.expires_ms);
  challenge.set_state(static_cast<account::v1::ChallengeState>(row.state));
  const bool of_viewer = viewer == row.from.id || (row.to && viewer == row.to->id);
  if (row.table && of_viewer) challenge.set_table_id(base::to_text(*row.table));
  return challenge;
}

account::v1::ListChallengesResponse to_proto(const store::ChallengeLists& lists, PlayerId viewer) {
  account::v1::ListChallengesResponse response;
  for (const auto& row : lists.to_player) *response.add_to_me() = to_proto(row, viewer);
  for (const auto& row : lists.from_player) *response.add_from_me() = to_proto(row, viewer);
  return response;
}

}  // namespace tesela::services
