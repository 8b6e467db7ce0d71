#include "server/store/sql/friend_store.h"

#include <utility>

#include "server/store/sql/friends.h"

namespace tesela::store::sql {

using boost::asio::awaitable;

awaitable<Expected<void>> FriendStore::follow(PlayerId player, PlayerId whom, std::int64_t at_ms) {
  return write<void>(Lane::kWrites, [=](WriteSession& session) {
    return sql::follow(session, player, whom, at_ms);
  });
}

awaitable<Expected<void>> FriendStore::unfollow(PlayerId player, PlayerId whom) {
  return write<void>(Lane::kWrites,
                     [=](WriteSession& session) { return sql::unfollow(session, player, whom); });
}

awaitable<Expected<void>> FriendStore::block(PlayerId player, PlayerId whom, std::int64_t at_ms) {
  return write<void>(Lane::kWrites, [=](WriteSession& session) {
    return sql::block(session, player, whom, at_ms);
  });
}

awaitable<Expected<void>> FriendStore::unblock(PlayerId player, PlayerId whom) {
  return write<void>(Lane::kWrites,
                     [=](WriteSession& session) { return sql::unblock(session, player, whom); });
}

awaitable<Expected<FriendLists>> FriendStore::friends(PlayerId player) {
  return read<FriendLists>(Lane::kLists,
                           [=](Session& session) { return sql::friends(session, player); });
}

awaitable<Expected<std::vector<PlayerId>>> FriendStore::blocked_by(PlayerId player) {
  return read<std::vector<PlayerId>>(
      Lane::kReads, [=](Session& session) { return sql::blocked_by(session, player); });
}

awaitable<Expected<void>> FriendStore::set_challengers(PlayerId player, Challengers challengers) {
  return write<void>(Lane::kWrites, [=](WriteSession& session) {
    return sql::set_challengers(session, player, challengers);
  });
}

awaitable<Expected<void>> FriendStore::see_here(PlayerId player, std::int64_t at_ms) {
  return write<void>(Lane::kWrites,
                     [=](WriteSession& session) { return sql::see_here(session, player, at_ms); });
}

awaitable<Expected<void>> FriendStore::own_bot(PlayerId bot, std::optional<PlayerId> owner) {
  return write<void>(Lane::kWrites,
                     [=](WriteSession& session) { return sql::own_bot(session, bot, owner); });
}

awaitable<Expected<void>> FriendStore::add_challenge(ChallengeRow challenge) {
  return write<void>(Lane::kWrites, [row = std::move(challenge)](WriteSession& session) {
    return sql::add_challenge(session, row);
  });
}

awaitable<Expected<ChallengeRow>> FriendStore::challenge(std::string id, std::int64_t now_ms) {
  return read<ChallengeRow>(Lane::kReads, [id = std::move(id), now_ms](Session& session) {
    return sql::challenge(session, id, now_ms);
  });
}

awaitable<Expected<ChallengeLists>> FriendStore::challenges(PlayerId player, std::int64_t now_ms) {
  return read<ChallengeLists>(
      Lane::kReads, [=](Session& session) { return sql::challenges(session, player, now_ms); });
}

awaitable<Expected<void>> FriendStore::accept_challenge(Acceptance acceptance) {
  return write<void>(Lane::kTables, [taken = std::move(acceptance)](WriteSession& session) {
    return sql::accept_challenge(session, taken);
  });
}

awaitable<Expected<void>> FriendStore::decline_challenge(std::string id, PlayerId player,
                                                         std::int64_t now_ms) {
  return write<void>(Lane::kWrites, [id = std::move(id), player, now_ms](WriteSession& session) {
    return sql::decline_challenge(session, id, player, now_ms);
  });
}

awaitable<Expected<void>> FriendStore::withdraw_challenge(std::string id, PlayerId player) {
  return write<void>(Lane::kWrites, [id = std::move(id), player](WriteSession& session) {
    return sql::withdraw_challenge(session, id, player);
  });
}

}  // namespace tesela::store::sql
