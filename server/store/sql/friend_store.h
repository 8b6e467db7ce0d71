// Friends by the operations of this folder.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/friends.h"
#include "server/store/sql/session/operations.h"

namespace tesela::store::sql {

/// Any thread.
class FriendStore : public Operations, public Friends {
 public:
  boost::asio::awaitable<Expected<void>> follow(PlayerId player, PlayerId whom,
                                                std::int64_t at_ms) override;
  boost::asio::awaitable<Expected<void>> unfollow(PlayerId player, PlayerId whom) override;
  boost::asio::awaitable<Expected<void>> block(PlayerId player, PlayerId whom,
                                               std::int64_t at_ms) override;
  boost::asio::awaitable<Expected<void>> unblock(PlayerId player, PlayerId whom) override;
  boost::asio::awaitable<Expected<FriendLists>> friends(PlayerId player) override;
  boost::asio::awaitable<Expected<std::vector<PlayerId>>> blocked_by(PlayerId player) override;
  boost::asio::awaitable<Expected<void>> set_challengers(PlayerId player,
                                                         Challengers challengers) override;
  boost::asio::awaitable<Expected<void>> see_here(PlayerId player, std::int64_t at_ms) override;
  boost::asio::awaitable<Expected<void>> own_bot(PlayerId bot,
                                                 std::optional<PlayerId> owner) override;
  boost::asio::awaitable<Expected<void>> add_challenge(ChallengeRow challenge) override;
  boost::asio::awaitable<Expected<ChallengeRow>> challenge(std::string id,
                                                           std::int64_t now_ms) override;
  boost::asio::awaitable<Expected<ChallengeLists>> challenges(PlayerId player,
                                                              std::int64_t now_ms) override;
  boost::asio::awaitable<Expected<void>> accept_challenge(Acceptance acceptance) override;
  boost::asio::awaitable<Expected<void>> decline_challenge(std::string id, PlayerId player,
                                                           std::int64_t now_ms) override;
  boost::asio::awaitable<Expected<void>> withdraw_challenge(std::string id,
                                                            PlayerId player) override;
};

}  // namespace tesela::store::sql
