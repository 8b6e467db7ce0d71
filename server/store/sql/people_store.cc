#include "server/store/sql/people_store.h"

#include <utility>

#include "server/store/sql/friends.h"
#include "server/store/sql/notices/notices.h"
#include "server/store/sql/players.h"

namespace tesela::store::sql {

using boost::asio::awaitable;

awaitable<Expected<void>> PeopleStore::follow(PlayerId player, PlayerId whom, std::int64_t at_ms) {
  return write<sql::follow>(Lane::kWrites, player, whom, at_ms);
}

awaitable<Expected<void>> PeopleStore::unfollow(PlayerId player, PlayerId whom) {
  return write<sql::unfollow>(Lane::kWrites, player, whom);
}

awaitable<Expected<void>> PeopleStore::block(PlayerId player, PlayerId whom, std::int64_t at_ms) {
  return write<sql::block>(Lane::kWrites, player, whom, at_ms);
}

awaitable<Expected<void>> PeopleStore::unblock(PlayerId player, PlayerId whom) {
  return write<sql::unblock>(Lane::kWrites, player, whom);
}

awaitable<Expected<FriendLists>> PeopleStore::friends(PlayerId player) {
  return read<sql::friends>(Lane::kLists, player);
}

awaitable<Expected<std::vector<PlayerId>>> PeopleStore::blocked_by(PlayerId player) {
  return read<sql::blocked_by>(Lane::kReads, player);
}

awaitable<Expected<void>> PeopleStore::set_challengers(PlayerId player, Challengers challengers) {
  return write<sql::set_challengers>(Lane::kWrites, player, challengers);
}

awaitable<Expected<void>> PeopleStore::see_here(PlayerId player, std::int64_t at_ms) {
  return write<sql::see_here>(Lane::kWrites, player, at_ms);
}

awaitable<Expected<void>> PeopleStore::own_bot(PlayerId bot, std::optional<PlayerId> owner) {
  return write<sql::own_bot>(Lane::kWrites, bot, owner);
}

awaitable<Expected<void>> PeopleStore::add_challenge(ChallengeRow challenge) {
  return write<sql::add_challenge>(Lane::kWrites, std::move(challenge));
}

awaitable<Expected<ChallengeRow>> PeopleStore::challenge(std::string id, std::int64_t now_ms) {
  return read<sql::challenge>(Lane::kReads, std::move(id), now_ms);
}

awaitable<Expected<ChallengeLists>> PeopleStore::challenges(PlayerId player, std::int64_t now_ms) {
  return read<sql::challenges>(Lane::kReads, player, now_ms);
}

awaitable<Expected<void>> PeopleStore::accept_challenge(Acceptance acceptance) {
  return write<sql::accept_challenge>(Lane::kTables, std::move(acceptance));
}

awaitable<Expected<void>> PeopleStore::decline_challenge(std::string id, PlayerId player,
                                                         std::int64_t now_ms) {
  return write<sql::decline_challenge>(Lane::kWrites, std::move(id), player, now_ms);
}

awaitable<Expected<void>> PeopleStore::withdraw_challenge(std::string id, PlayerId player) {
  return write<sql::withdraw_challenge>(Lane::kWrites, std::move(id), player);
}

awaitable<Expected<void>> PeopleStore::add_notices(std::vector<NewNotice> notices) {
  return write<sql::add_notices>(Lane::kBackground, std::move(notices));
}

awaitable<Expected<bool>> PeopleStore::notices_due(std::int64_t now_ms) {
  return read<sql::notices_due>(Lane::kLists, now_ms);
}

awaitable<Expected<std::vector<DueNotice>>> PeopleStore::claim_notices(std::int64_t now_ms,
                                                                       std::int64_t lease_ms,
                                                                       std::size_t max) {
  return write<sql::claim_notices>(Lane::kBackground, now_ms, lease_ms, max);
}

awaitable<Expected<void>> PeopleStore::settle_notice(std::uint64_t id, std::int64_t lease_ms,
                                                     std::optional<std::int64_t> due_ms,
                                                     std::int64_t tries) {
  return write<sql::settle_notice>(Lane::kBackground, id, lease_ms, due_ms, tries);
}

awaitable<Expected<void>> PeopleStore::set_webhook(bool on) {
  return write<sql::set_webhook>(Lane::kBackground, on);
}

awaitable<Expected<void>> PeopleStore::add_device(PlayerId player, SessionId session,
                                                  PushDevice device, std::int64_t at_ms) {
  return write<sql::add_device>(Lane::kWrites, player, session, std::move(device), at_ms);
}

awaitable<Expected<void>> PeopleStore::remove_device(std::string endpoint,
                                                     std::optional<PlayerId> player) {
  return write<sql::remove_device>(Lane::kWrites, std::move(endpoint), player);
}

awaitable<Expected<NotificationLists>> PeopleStore::notifications(PlayerId player) {
  return read<sql::notifications>(Lane::kReads, player);
}

awaitable<Expected<void>> PeopleStore::set_notifications(PlayerId player, NoticeChoices choices) {
  return write<sql::set_notifications>(Lane::kWrites, player, std::move(choices));
}

awaitable<Expected<void>> PeopleStore::erase(PlayerId player, std::int64_t at_ms,
                                             std::vector<TableId> tables) {
  return write<sql::erase>(Lane::kBackground, player, at_ms, std::move(tables));
}

awaitable<Expected<std::vector<ErasedPlayer>>> PeopleStore::erased(std::size_t max) {
  return read<sql::erased>(Lane::kLists, max);
}

awaitable<Expected<Merged>> PeopleStore::merge(Merge wanted) {
  return write<sql::merge_and_finish>(Lane::kTables, wanted);
}

awaitable<Expected<std::vector<ScoreLine>>> PeopleStore::scores(PlayerId player,
                                                                std::uint64_t after,
                                                                std::size_t max) {
  return read<sql::scores>(Lane::kLists, player, after, max);
}

}  // namespace tesela::store::sql
