// Handles, who may see a profile, and ratings by day.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/profiles.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::sql {

// Contracts and errors as in Profiles. The writes may run again as those of table_writes.h.

boost::asio::awaitable<Expected<void>> claim_handle(WriteSession& session,
                                                    const HandleClaim& claim);
boost::asio::awaitable<Expected<PlayerRow>> holder(Session& session, const std::string& key);
boost::asio::awaitable<Expected<std::vector<PlayerRow>>> holders(Session& session,
                                                                 const std::string& key_prefix,
                                                                 std::size_t max);
boost::asio::awaitable<Expected<std::vector<KeptHandle>>> kept_handles(Session& session,
                                                                       PlayerId player,
                                                                       std::int64_t now_ms);
boost::asio::awaitable<Expected<void>> set_audience(WriteSession& session, PlayerId player,
                                                    Audience audience);
boost::asio::awaitable<Expected<std::vector<RatingPoint>>> rating_days(Session& session,
                                                                       const std::string& game,
                                                                       PlayerId player, Day since);

boost::asio::awaitable<Expected<NewestScores>> newest_scores(Session& session, PlayerId player,
                                                             std::size_t best_max,
                                                             std::size_t daily_max);

/// With the batch, the player's handles and ratings by day are deleted.
void delete_profile_of(Batch& batch, PlayerId player);

}  // namespace tesela::store::sql
