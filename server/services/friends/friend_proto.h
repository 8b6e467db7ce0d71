// Converts lists of friends and challenges to tesela.account.v1.
#pragma once

#include <cstdint>

#include "engine/core/ids.h"
#include "server/store/friends.h"
#include "tesela/account/v1/friends.pb.h"

namespace tesela::services {

/// At `now_ms`.
[[nodiscard]] account::v1::ListFriendsResponse to_proto(const store::FriendLists& lists,
                                                        std::int64_t now_ms);
/// With its table, if `viewer` is one of the two players.
[[nodiscard]] account::v1::GameChallenge to_proto(const store::ChallengeRow& row, PlayerId viewer);
[[nodiscard]] account::v1::ListChallengesResponse to_proto(const store::ChallengeLists& lists,
                                                           PlayerId viewer);

}  // namespace tesela::services
