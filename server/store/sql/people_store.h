// Friends, notices and personal data by the operations of this folder.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/friends.h"
#include "server/store/notices.h"
#include "server/store/personal_data.h"
#include "server/store/sql/session/operations.h"

namespace tesela::store::sql {

/// Any thread.
class PeopleStore : public Operations, public Friends, public Notices, public PersonalData {
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

  boost::asio::awaitable<Expected<void>> add_notices(std::vector<NewNotice> notices) override;
  boost::asio::awaitable<Expected<bool>> notices_due(std::int64_t now_ms) override;
  boost::asio::awaitable<Expected<std::vector<DueNotice>>> claim_notices(std::int64_t now_ms,
                                                                         std::int64_t lease_ms,
                                                                         std::size_t max) override;
  boost::asio::awaitable<Expected<void>> settle_notice(std::uint64_t id, std::int64_t lease_ms,
                                                       std::optional<std::int64_t> due_ms,
                                                       std::int64_t tries) override;
  boost::asio::awaitable<Expected<void>> set_webhook(bool on) override;
  boost::asio::awaitable<Expected<void>> add_device(PlayerId player, SessionId session,
                                                    PushDevice device, std::int64_t at_ms) override;
  boost::asio::awaitable<Expected<void>> remove_device(std::string endpoint,
                                                       std::optional<PlayerId> player) override;
  boost::asio::awaitable<Expected<NotificationLists>> notifications(PlayerId player) override;
  boost::asio::awaitable<Expected<void>> set_notifications(PlayerId player,
                                                           NoticeChoices choices) override;

  boost::asio::awaitable<Expected<void>> erase(PlayerId player, std::int64_t at_ms,
                                               std::vector<TableId> tables) override;
  boost::asio::awaitable<Expected<std::vector<ErasedPlayer>>> erased(std::size_t max) override;
  boost::asio::awaitable<Expected<Merged>> merge(Merge wanted) override;
  boost::asio::awaitable<Expected<std::vector<ScoreLine>>> scores(PlayerId player,
                                                                  std::uint64_t after,
                                                                  std::size_t max) override;
};

}  // namespace tesela::store::sql
