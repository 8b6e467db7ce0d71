#include "server/store/sql/friends.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "server/base/friend_limits.h"
#include "server/store/refusals.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

constexpr Text kLockTwo{
    "SELECT id FROM players WHERE id = ANY($1) AND erased_ms IS NULL ORDER BY id"
    " FOR NO KEY UPDATE"};
constexpr Text kFollow{
    "INSERT INTO follows (player_id, followed_id, made_ms) VALUES ($1, $2, $3)"
    " ON CONFLICT DO NOTHING"};
constexpr Text kCountFollows{
    "SELECT count(*) FROM follows WHERE player_id = $1 AND followed_id <> $2"};
constexpr Text kUnfollow{"DELETE FROM follows WHERE player_id = $1 AND followed_id = $2"};
constexpr Text kBlock{
    "INSERT INTO blocks (player_id, blocked_id, made_ms) VALUES ($1, $2, $3)"
    " ON CONFLICT DO NOTHING"};
constexpr Text kCountBlocks{
    "SELECT count(*) FROM blocks WHERE player_id = $1 AND blocked_id <> $2"};
constexpr Text kUnblock{"DELETE FROM blocks WHERE player_id = $1 AND blocked_id = $2"};
constexpr Text kEndOwnChallenges{
    "DELETE FROM challenges WHERE from_id = $1 AND to_id = $2 AND state = 1"};
constexpr Text kEndTheirChallenges{
    "UPDATE challenges SET state = 3 WHERE from_id = $2 AND to_id = $1 AND state = 1"};
constexpr Text kSelf{"SELECT challengers, here_ms FROM players WHERE id = $1"};
// The newest table by the index of a player's seats, one for each player.
constexpr Text kFollows{
    "SELECT seen.id, seen.display_name, seen.hidden, seen.here_ms, t.id, t.game FROM ("
    " SELECT p.id, p.display_name, p.here_ms, p.audience = 3 OR EXISTS (SELECT 1 FROM blocks b"
    "   WHERE b.player_id = p.id AND b.blocked_id = $1) AS hidden,"
    "  (SELECT s.table_id FROM seats s WHERE s.player_id = p.id AND s.public = true"
    "   AND s.state = 1 AND s.strategy = '' ORDER BY s.created_ms DESC, s.table_id DESC LIMIT 1)"
    "   AS table_id"
    " FROM follows f JOIN players p ON p.id = f.followed_id WHERE f.player_id = $1) AS seen"
    " LEFT JOIN tables t ON t.id = seen.table_id"};
constexpr Text kBlocked{
    "SELECT p.id, p.display_name FROM blocks b JOIN players p ON p.id = b.blocked_id"
    " WHERE b.player_id = $1"};
constexpr Text kBlockedIds{"SELECT blocked_id FROM blocks WHERE player_id = $1"};
constexpr Text kSetChallengers{
    "UPDATE players SET challengers = $2 WHERE id = $1 AND erased_ms IS NULL"};
constexpr Text kSeeHere{
    "UPDATE players SET here_ms = greatest(here_ms, $2) WHERE id = $1 AND erased_ms IS NULL"};
constexpr Text kIsBot{"SELECT 1 FROM players WHERE id = $1 AND kind = 3"};
constexpr Text kFreeBot{"UPDATE players SET owner_id = NULL WHERE id = $1"};
constexpr Text kOwnBot{
    "UPDATE players SET owner_id = $2 WHERE id = $1 AND (owner_id IS NULL OR owner_id = $2"
    " OR NOT EXISTS (SELECT 1 FROM players o WHERE o.id = players.owner_id"
    " AND o.erased_ms IS NULL))"};

constexpr std::array kRowsOfPlayer{
    Text{"DELETE FROM follows WHERE player_id = $1"},
    Text{"DELETE FROM follows WHERE followed_id = $1"},
    Text{"DELETE FROM blocks WHERE player_id = $1"},
    Text{"DELETE FROM blocks WHERE blocked_id = $1"},
    Text{"DELETE FROM challenges WHERE from_id = $1"},
    Text{"DELETE FROM challenges WHERE to_id = $1"},
    Text{"DELETE FROM push_devices WHERE player_id = $1"},
    Text{"DELETE FROM notices WHERE player_id = $1"},
    Text{"UPDATE players SET here_ms = 0, told = 15, quiet_from = 0, quiet_to = 0, quiet_zone = ''"
         " WHERE id = $1"},
};
constexpr Text kRemoveChallenges{
    "DELETE FROM challenges WHERE id IN (SELECT id FROM challenges WHERE expires_ms < $1"
    " ORDER BY expires_ms, id LIMIT $2)"};

NamedPlayer named(Row row) {
  return {.id = row.id<PlayerId>(0), .name = row.text(1)};
}

bool by_name(const NamedPlayer& a, const NamedPlayer& b) {
  return std::tie(a.name, a.id) < std::tie(b.name, b.id);
}

FollowedPlayer followed_of(Row row) {
  return {.player = named(row),
          .hidden = row.flag(2),
          .here_ms = row.number(3),
          .table = row.id_or_none<TableId>(4),
          .game = row.text(5)};
}

}  // namespace

awaitable<Expected<void>> lock_both(WriteSession& session, PlayerId one, PlayerId other) {
  Batch look;
  look.add(kLockTwo).ids(std::vector{one, other});
  const auto found = co_await session.run(std::move(look));
  if (found[0].size() < 2) co_return no_such_player();
  co_return Expected<void>{};
}

awaitable<Expected<void>> follow(WriteSession& session, PlayerId player, PlayerId whom,
                                 std::int64_t at_ms) {
  const auto locked = co_await lock_both(session, player, whom);
  if (!locked) co_return locked;
  const auto found = co_await session.run(Query(kCountFollows).id(player).id(whom));
  if (std::cmp_greater_equal(found[0].number(0), limits::kFollowsMax)) {
    co_return refuse(ErrorCode::kResourceExhausted,
                     "You follow " + std::to_string(limits::kFollowsMax) +
                         " players, as many as one may: follow somebody no more first.");
  }
  co_return co_await session.commit(Query(kFollow).id(player).id(whom).number(at_ms));
}

awaitable<Expected<void>> unfollow(WriteSession& session, PlayerId player, PlayerId whom) {
  return session.commit(Query(kUnfollow).id(player).id(whom));
}

awaitable<Expected<void>> block(WriteSession& session, PlayerId player, PlayerId whom,
                                std::int64_t at_ms) {
  const auto locked = co_await lock_both(session, player, whom);
  if (!locked) co_return locked;
  const auto found = co_await session.run(Query(kCountBlocks).id(player).id(whom));
  if (std::cmp_greater_equal(found[0].number(0), limits::kBlocksMax)) {
    co_return refuse(ErrorCode::kResourceExhausted,
                     "You block " + std::to_string(limits::kBlocksMax) +
                         " players, as many as one may: unblock somebody first.");
  }
  Batch batch;
  batch.add(kBlock).id(player).id(whom).number(at_ms);
  batch.add(kUnfollow).id(player).id(whom);
  batch.add(kEndOwnChallenges).id(player).id(whom);
  batch.add(kEndTheirChallenges).id(player).id(whom);
  co_return co_await session.commit(std::move(batch));
}

awaitable<Expected<void>> unblock(WriteSession& session, PlayerId player, PlayerId whom) {
  return session.commit(Query(kUnblock).id(player).id(whom));
}

awaitable<Expected<FriendLists>> friends(Session& session, PlayerId player) {
  Batch batch;
  batch.add(kSelf).id(player);
  batch.add(kFollows).id(player);
  batch.add(kBlocked).id(player);
  const auto answers = co_await session.finish(std::move(batch));
  if (answers[0].empty()) co_return no_such_player();
  const Row self = answers[0][0];
  FriendLists lists{.follows = answers[1].map(followed_of),
                    .blocked = answers[2].map(named),
                    .challengers = self.one_of(0, Challengers::kEverybody, Challengers::kNobody),
                    .here_ms = self.number(1)};
  std::ranges::sort(lists.follows, by_name, &FollowedPlayer::player);
  std::ranges::sort(lists.blocked, by_name);
  co_return lists;
}

awaitable<Expected<std::vector<PlayerId>>> blocked_by(Session& session, PlayerId player) {
  const auto rows = co_await session.finish(Query(kBlockedIds).id(player));
  co_return rows.ids<PlayerId>();
}

awaitable<Expected<void>> set_challengers(WriteSession& session, PlayerId player,
                                          Challengers challengers) {
  const auto rows = co_await session.finish(Query(kSetChallengers).id(player).one_of(challengers));
  if (rows.changed() == 0) co_return no_such_player();
  co_return Expected<void>{};
}

awaitable<Expected<void>> see_here(WriteSession& session, PlayerId player, std::int64_t at_ms) {
  return session.commit(Query(kSeeHere).id(player).number(at_ms));
}

awaitable<Expected<void>> own_bot(WriteSession& session, PlayerId bot,
                                  std::optional<PlayerId> owner) {
  Batch batch;
  batch.add(kIsBot).id(bot);
  if (owner) {
    batch.add(kOwnBot).id(bot).id(*owner);
  } else {
    batch.add(kFreeBot).id(bot);
  }
  const auto answers = co_await session.run(std::move(batch));
  if (answers[0].empty()) co_return refuse(ErrorCode::kNotFound, "There is no bot with this id.");
  if (answers[1].changed() == 0) {
    co_return refuse(ErrorCode::kPermissionDenied,
                     "A bot of this name is another player's: give yours another name.");
  }
  co_return co_await session.commit();
}

void delete_friends_of(Batch& batch, PlayerId player) {
  for (const Text& rows : kRowsOfPlayer) batch.add(rows).id(player);
}

void delete_challenges(Batch& batch, std::int64_t expired_before_ms) {
  batch.add(kRemoveChallenges).number(expired_before_ms).count(limits::kRemovedChallengesAtOnce);
}

}  // namespace tesela::store::sql
