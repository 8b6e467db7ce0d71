// What MatchmakingService.Find is asked for.
#pragma once

#include "engine/core/result.h"
#include "server/accounts/tokens.h"
#include "server/matchmaking/search.h"
#include "tesela/lobby/v1/matchmaking.pb.h"

namespace tesela::lobby {

/// The search of a signed-in player. Errors: kInvalidArgument, saying what would be right.
[[nodiscard]] Expected<Seeker> read_seeker(const v1::FindRequest& request, Identity player);

}  // namespace tesela::lobby
