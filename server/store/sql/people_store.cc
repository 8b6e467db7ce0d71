#include "server/store/sql/people_store.h"

#include <utility>

#include "server/store/sql/friends.h"
#include "server/store/sql/notices/notices.h"
#include "server/store/sql/players.h"

namespace tesela::store::sql {

using boost::asio::awaitable;

awaitable<Expected<void>> PeopleStore::follow(PlayerId player, PlayerId whom, std::int64_t at_ms) {
  return write<void>(Lane::kWrites, [=](WriteSession& session) {
    return sql::follow(session, player, whom, at_ms);
  });
}

awaitable<Expected<void>> PeopleStore::unfollow(PlayerId player, PlayerId whom) {
  return write<void>(Lane::kWrites,
                     [=](WriteSession& session) { return sql::unfollow(session, player, whom); });
}

awaitable<Expected<void>> PeopleStore::block(PlayerId player, PlayerId whom, std::int64_t at_ms) {
  return write<void>(Lane::kWrites, [=](WriteSession& session) {
    return sql::block(session, player, whom, at_ms);
  });
}

awaitable<Expected<void>> PeopleStore::unblock(PlayerId player, PlayerId whom) {
  return write<void>(Lane::kWrites,
                     [=](WriteSession& session) { return sql::unblock(session, player, whom); });
}

awaitable<Expected<FriendLists>> PeopleStore::friends(PlayerId player) {
  return read<FriendLists>(Lane::kLists,
                           [=](Session& session) { return sql::friends(session, player); });
}

awaitable<Expected<std::vector<PlayerId>>> PeopleStore::blocked_by(PlayerId player) {
  return read<std::vector<PlayerId>>(
      Lane::kReads, [=](Session& session) { return sql::blocked_by(session, player); });
}

awaitable<Expected<void>> PeopleStore::set_challengers(PlayerId player, Challengers challengers) {
  return write<void>(Lane::kWrites, [=](WriteSession& session) {
    return sql::set_challengers(session, player, challengers);
  });
}

awaitable<Expected<void>> PeopleStore::see_here(PlayerId player, std::int64_t at_ms) {
  return write<void>(Lane::kWrites,
                     [=](WriteSession& session) { return sql::see_here(session, player, at_ms); });
}

awaitable<Expected<void>> PeopleStore::own_bot(PlayerId bot, std::optional<PlayerId> owner) {
  return write<void>(Lane::kWrites,
                     [=](WriteSession& session) { return sql::own_bot(session, bot, owner); });
}

awaitable<Expected<void>> PeopleStore::add_challenge(ChallengeRow challenge) {
  return write<void>(Lane::kWrites, [row = std::move(challenge)](WriteSession& session) {
    return sql::add_challenge(session, row);
  });
}

awaitable<Expected<ChallengeRow>> PeopleStore::challenge(std::string id, std::int64_t now_ms) {
  return read<ChallengeRow>(Lane::kReads, [id = std::move(id), now_ms](Session& session) {
    return sql::challenge(session, id, now_ms);
  });
}

awaitable<Expected<ChallengeLists>> PeopleStore::challenges(PlayerId player, std::int64_t now_ms) {
  return read<ChallengeLists>(
      Lane::kReads, [=](Session& session) { return sql::challenges(session, player, now_ms); });
}

awaitable<Expected<void>> PeopleStore::accept_challenge(Acceptance acceptance) {
  return write<void>(Lane::kTables, [taken = std::move(acceptance)](WriteSession& session) {
    return sql::accept_challenge(session, taken);
  });
}

awaitable<Expected<void>> PeopleStore::decline_challenge(std::string id, PlayerId player,
                                                         std::int64_t now_ms) {
  return write<void>(Lane::kWrites, [id = std::move(id), player, now_ms](WriteSession& session) {
    return sql::decline_challenge(session, id, player, now_ms);
  });
}

awaitable<Expected<void>> PeopleStore::withdraw_challenge(std::string id, PlayerId player) {
  return write<void>(Lane::kWrites, [id = std::move(id), player](WriteSession& session) {
    return sql::withdraw_challenge(session, id, player);
  });
}

awaitable<Expected<void>> PeopleStore::add_notices(std::vector<NewNotice> notices) {
  return write<void>(Lane::kBackground, [notices = std::move(notices)](WriteSession& session) {
    return sql::add_notices(session, notices);
  });
}

awaitable<Expected<bool>> PeopleStore::notices_due(std::int64_t now_ms) {
  return read<bool>(Lane::kLists,
                    [=](Session& session) { return sql::notices_due(session, now_ms); });
}

awaitable<Expected<std::vector<DueNotice>>> PeopleStore::claim_notices(std::int64_t now_ms,
                                                                       std::int64_t lease_ms,
                                                                       std::size_t max) {
  return write<std::vector<DueNotice>>(Lane::kBackground, [=](WriteSession& session) {
    return sql::claim_notices(session, now_ms, lease_ms, max);
  });
}

awaitable<Expected<void>> PeopleStore::settle_notice(std::uint64_t id, std::int64_t lease_ms,
                                                     std::optional<std::int64_t> due_ms,
                                                     std::int64_t tries) {
  return write<void>(Lane::kBackground, [=](WriteSession& session) {
    return sql::settle_notice(session, id, lease_ms, due_ms, tries);
  });
}

awaitable<Expected<void>> PeopleStore::set_webhook(bool on) {
  return write<void>(Lane::kBackground,
                     [on](WriteSession& session) { return sql::set_webhook(session, on); });
}

awaitable<Expected<void>> PeopleStore::add_device(PlayerId player, SessionId session,
                                                  PushDevice device, std::int64_t at_ms) {
  return write<void>(Lane::kWrites,
                     [player, session, device = std::move(device), at_ms](WriteSession& in) {
                       return sql::add_device(in, player, session, device, at_ms);
                     });
}

awaitable<Expected<void>> PeopleStore::remove_device(std::string endpoint,
                                                     std::optional<PlayerId> player) {
  return write<void>(Lane::kWrites,
                     [endpoint = std::move(endpoint), player](WriteSession& session) {
                       return sql::remove_device(session, endpoint, player);
                     });
}

awaitable<Expected<NotificationLists>> PeopleStore::notifications(PlayerId player) {
  return read<NotificationLists>(
      Lane::kReads, [=](Session& session) { return sql::notifications(session, player); });
}

awaitable<Expected<void>> PeopleStore::set_notifications(PlayerId player, NoticeChoices choices) {
  return write<void>(Lane::kWrites, [player, choices = std::move(choices)](WriteSession& session) {
    return sql::set_notifications(session, player, choices);
  });
}

awaitable<Expected<void>> PeopleStore::erase(PlayerId player, std::int64_t at_ms,
                                             std::vector<TableId> tables) {
  return write<void>(Lane::kBackground,
                     [player, at_ms, tables = std::move(tables)](WriteSession& session) {
                       return sql::erase(session, player, at_ms, tables);
                     });
}

awaitable<Expected<std::vector<ErasedPlayer>>> PeopleStore::erased(std::size_t max) {
  return read<std::vector<ErasedPlayer>>(
      Lane::kLists, [max](Session& session) { return sql::erased(session, max); });
}

awaitable<Expected<Merged>> PeopleStore::merge(Merge wanted) {
  return write<Merged>(Lane::kTables, [wanted](WriteSession& session) {
    return sql::merge_and_finish(session, wanted);
  });
}

awaitable<Expected<std::vector<ScoreLine>>> PeopleStore::scores(PlayerId player,
                                                                std::uint64_t after,
                                                                std::size_t max) {
  return read<std::vector<ScoreLine>>(
      Lane::kLists, [=](Session& session) { return sql::scores(session, player, after, max); });
}

}  // namespace tesela::store::sql
