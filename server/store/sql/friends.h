// Whom players follow and block, challenges, and whose a remote bot is.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/friends.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::sql {

// Contracts and errors as in Friends. The writes may run again as those of table_writes.h.

boost::asio::awaitable<Expected<void>> follow(WriteSession& session, PlayerId player, PlayerId whom,
                                              std::int64_t at_ms);
boost::asio::awaitable<Expected<void>> unfollow(WriteSession& session, PlayerId player,
                                                PlayerId whom);
boost::asio::awaitable<Expected<void>> block(WriteSession& session, PlayerId player, PlayerId whom,
                                             std::int64_t at_ms);
boost::asio::awaitable<Expected<void>> unblock(WriteSession& session, PlayerId player,
                                               PlayerId whom);
boost::asio::awaitable<Expected<FriendLists>> friends(Session& session, PlayerId player);
boost::asio::awaitable<Expected<std::vector<PlayerId>>> blocked_by(Session& session,
                                                                   PlayerId player);
boost::asio::awaitable<Expected<void>> set_challengers(WriteSession& session, PlayerId player,
                                                       Challengers challengers);
boost::asio::awaitable<Expected<void>> see_here(WriteSession& session, PlayerId player,
                                                std::int64_t at_ms);
boost::asio::awaitable<Expected<void>> own_bot(WriteSession& session, PlayerId bot,
                                               std::optional<PlayerId> owner);

boost::asio::awaitable<Expected<void>> add_challenge(WriteSession& session,
                                                     const ChallengeRow& challenge);
boost::asio::awaitable<Expected<ChallengeRow>> challenge(Session& session, const std::string& id,
                                                         std::int64_t now_ms);
boost::asio::awaitable<Expected<ChallengeLists>> challenges(Session& session, PlayerId player,
                                                            std::int64_t now_ms);
boost::asio::awaitable<Expected<void>> accept_challenge(WriteSession& session,
                                                        const Acceptance& acceptance);
boost::asio::awaitable<Expected<void>> decline_challenge(WriteSession& session,
                                                         const std::string& id, PlayerId player,
                                                         std::int64_t now_ms);
boost::asio::awaitable<Expected<void>> withdraw_challenge(WriteSession& session,
                                                          const std::string& id, PlayerId player);

/// Both rows, which nobody else locks until the end, in the order of ids: nobody blocks, and is
/// challenged, at once. Error: kNotFound, also for one who was erased.
boost::asio::awaitable<Expected<void>> lock_both(WriteSession& session, PlayerId one,
                                                 PlayerId other);

/// With the batch, whom the player follows and blocks, by whom the player is followed and blocked,
/// challenges of and to the player, and devices are deleted.
void delete_friends_of(Batch& batch, PlayerId player);
/// With the batch, some challenges that expired before are deleted.
void delete_challenges(Batch& batch, std::int64_t expired_before_ms);

}  // namespace tesela::store::sql
