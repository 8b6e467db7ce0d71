// What MatchmakingService.Find is asked for.
#pragma once

#include "engine/core/result.h"
#include "server/accounts/tokens.h"
#include "server/matchmaking/search.h"
#include "tesela/lobby/v1/matchmaking.pb.h"

namespace tesela::services {

/// The search of a signed-in player. Errors: kInvalidArgument, saying what would be right.
[[nodiscard]] Expected<matchmaking::Seeker> read_seeker(const lobby::v1::FindRequest& request,
                                                        accounts::Identity player);

}  // namespace tesela::services
