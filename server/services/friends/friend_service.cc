#include "server/services/friends/friend_service.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "server/base/absence_limits.h"
#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/base/friend_limits.h"
#include "server/base/text_encoding.h"
#include "server/codec/shown_text.h"
#include "server/codec/table_options.h"
#include "server/directory/lobby/invite.h"
#include "server/directory/lobby/table_proto.h"
#include "server/games/games.h"
#include "server/services/friends/friend_proto.h"

namespace tesela::services {
namespace {

using boost::asio::awaitable;

constexpr std::uint8_t kPlayers = 2;

std::unexpected<Error> none_to_caller() {
  return refuse(ErrorCode::kNotFound, "There is no such challenge to you.");
}

/// Whether the game is for two, in this configuration.
Expected<void> check_for_two(const directory::NewTable& wanted) {
  const auto entry = games::find_game(wanted.game);
  if (!entry) return std::unexpected(entry.error());
  const auto configured = (*entry)->configure(wanted.config ? &*wanted.config : nullptr);
  if (!configured) return std::unexpected(configured.error());
  if (configured->seats == kPlayers) return {};
  return refuse(ErrorCode::kInvalidArgument,
                "A challenge is to a game for two; this one is for " +
                    std::to_string(configured->seats) +
                    ": take another game, or set its players to 2 in config.");
}

/// A table for the challenger and who accepts, on seats by lot.
directory::NewTable table_for(PlayerId from, std::string name, std::string game) {
  directory::NewTable wanted{.owner = from, .owner_name = std::move(name), .game = std::move(game)};
  const auto lot = static_cast<std::uint8_t>(base::random_secret().front() % kPlayers);
  wanted.owner_seat = Seat{lot};
  return wanted;
}

tables::TakeSeat other_seat(const directory::NewTable& wanted, PlayerId player, std::string name) {
  const auto seat = static_cast<std::uint8_t>(kPlayers - 1 - wanted.owner_seat->value);
  return {.player = player, .name = std::move(name), .seat = Seat{seat}};
}

/// A game begins when it is accepted: a clock that gives little would run out for a challenger who
/// is not there.
Expected<void> check_there(const store::ChallengeRow& challenge, std::int64_t now_ms) {
  const auto options = codec::decode_table_options(challenge.options);
  if (!options) return std::unexpected(options.error());
  const auto time = std::max(options->clock.move, options->clock.game);
  const bool there = now_ms - challenge.from_here_ms < limits::kHereTime.count();
  if (there || !options->clock.on() || time > limits::kClaimClockMax) return {};
  return refuse(ErrorCode::kTooSoon,
                challenge.from.name +
                    " is not there now, and a game with this clock begins at once: accept it when"
                    " both of you are there.");
}

Expected<directory::NewTable> wanted_by(const store::ChallengeRow& challenge) {
  auto wanted = table_for(challenge.from.id, challenge.from.name, challenge.game);
  wanted.config.emplace();
  if (!wanted.config->ParseFromString(challenge.config) ||
      !wanted.options.ParseFromString(challenge.options)) {
    return refuse(ErrorCode::kCorrupt, "What the challenge is to cannot be read.");
  }
  return wanted;
}

}  // namespace

std::vector<rpc::Method> FriendService::methods() {
  namespace pb = account::v1;
  using Friends = FriendService;
  return rpc::methods_of(
      "tesela.account.v1.FriendService",
      {
          rpc::method_by(
              *this,
              &Friends::change<pb::FollowRequest, pb::FollowResponse, &store::Friends::follow>),
          rpc::method_by(*this, &Friends::change<pb::UnfollowRequest, pb::UnfollowResponse,
                                                 &store::Friends::unfollow>),
          rpc::method_by(
              *this, &Friends::change<pb::BlockRequest, pb::BlockResponse, &store::Friends::block>),
          rpc::method_by(
              *this,
              &Friends::change<pb::UnblockRequest, pb::UnblockResponse, &store::Friends::unblock>),
          rpc::method_by(*this, &Friends::list_friends),
          rpc::method_by(*this, &Friends::set_challengers),
          rpc::method_by(*this, &Friends::challenge),
          rpc::method_by(*this, &Friends::get_challenge),
          rpc::method_by(*this, &Friends::accept_challenge),
          rpc::method_by(*this, &Friends::decline_challenge),
          rpc::method_by(*this, &Friends::withdraw_challenge),
          rpc::method_by(*this, &Friends::list_challenges),
      });
}

awaitable<Expected<PlayerId>> FriendService::other_of(account::v1::Whom whom, PlayerId caller) {
  std::optional<PlayerId> other;
  if (whom.has_handle()) {
    auto handle = codec::read_handle(whom.handle());
    // What cannot be a handle is nobody's.
    if (!handle) co_return refuse(ErrorCode::kNotFound, "Nobody has this handle.");
    const auto holder = co_await parts_.profiles.holder(std::move(handle->key));
    if (!holder) co_return std::unexpected(holder.error());
    other = holder->id;
  } else {
    other = base::parse_id<PlayerId>(whom.player_id());
  }
  if (!other || *other == caller) {
    co_return refuse(ErrorCode::kInvalidArgument,
                     "Say whom: the id or the handle of another player.");
  }
  co_return *other;
}

template <class Request, class Response, auto kChange>
awaitable<Expected<Response>> FriendService::change(Request request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto other = co_await other_of(std::move(*request.mutable_whom()), identity->player);
  if (!other) co_return std::unexpected(other.error());
  Expected<void> done;
  if constexpr (std::is_invocable_v<decltype(kChange), store::Friends&, PlayerId, PlayerId>) {
    done = co_await (parts_.friends.*kChange)(identity->player, *other);
  } else {
    done = co_await (parts_.friends.*kChange)(identity->player, *other, base::unix_ms());
  }
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return Response{};
}

awaitable<Expected<void>> FriendService::note_here(PlayerId player, std::int64_t here_ms,
                                                   std::int64_t now_ms) {
  if (now_ms - here_ms < limits::kHereStored.count()) co_return Expected<void>{};
  co_return co_await parts_.friends.see_here(player, now_ms);
}

awaitable<Expected<account::v1::ListFriendsResponse>> FriendService::list_friends(
    account::v1::ListFriendsRequest /*request*/, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto lists = co_await parts_.friends.friends(identity->player);
  if (!lists) co_return std::unexpected(lists.error());
  const std::int64_t now_ms = base::unix_ms();
  const auto noted = co_await note_here(identity->player, lists->here_ms, now_ms);
  if (!noted) co_return std::unexpected(noted.error());
  co_return to_proto(*lists, now_ms);
}

awaitable<Expected<account::v1::SetChallengersResponse>> FriendService::set_challengers(
    account::v1::SetChallengersRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto challengers = static_cast<store::Challengers>(request.challengers());
  if (challengers < store::Challengers::kEverybody || challengers > store::Challengers::kNobody) {
    co_return refuse(ErrorCode::kInvalidArgument,
                     "challengers must be one of EVERYBODY, FOLLOWED and NOBODY.");
  }
  const auto set = co_await parts_.friends.set_challengers(identity->player, challengers);
  if (!set) co_return std::unexpected(set.error());
  co_return account::v1::SetChallengersResponse{};
}

awaitable<Expected<account::v1::ChallengeResponse>> FriendService::challenge(
    account::v1::ChallengeRequest request, rpc::Caller caller) {
  const auto identity =
      co_await parts_.players.admit_to_play(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const PlayerId from = identity->player;
  const std::int64_t now_ms = base::unix_ms();
  store::ChallengeRow row{.id = directory::random_invite(),
                          .from = {.id = from, .name = {}},
                          .created_ms = now_ms,
                          .expires_ms = now_ms + limits::kChallengeTime.count()};
  if (request.has_whom()) {
    const auto other = co_await other_of(std::move(*request.mutable_whom()), from);
    if (!other) co_return std::unexpected(other.error());
    row.to = store::NamedPlayer{.id = *other, .name = {}};
  }
  auto wanted = table_for(from, identity->display_name, request.game());
  wanted.options = request.options();
  if (request.has_config()) wanted.config = request.config();
  if (auto fits = check_for_two(wanted); !fits) co_return std::unexpected(fits.error());
  // Whoever accepts: the table is only made to see whether it can be.
  wanted.players = {other_seat(wanted, PlayerId{from.value ^ 1U}, {})};
  auto prepared = parts_.directory.prepare(std::move(wanted));
  if (!prepared) co_return std::unexpected(std::move(prepared.error()));
  row.game = prepared->row.game;
  row.config = prepared->row.config;
  row.options = prepared->row.options;
  if (auto counted = parts_.admission.count_table(caller.quota, from); !counted) {
    co_return std::unexpected(std::move(counted.error()));
  }
  const auto added = co_await parts_.friends.add_challenge(row);
  if (!added) co_return std::unexpected(added.error());
  const auto stored = co_await parts_.friends.challenge(row.id, now_ms);
  if (!stored) co_return std::unexpected(stored.error());
  account::v1::ChallengeResponse response;
  *response.mutable_challenge() = to_proto(*stored, from);
  co_return response;
}

awaitable<Expected<account::v1::GetChallengeResponse>> FriendService::get_challenge(
    account::v1::GetChallengeRequest request, rpc::Caller caller) {
  PlayerId viewer;
  if (const auto identity = parts_.tokens.verify(caller.token)) viewer = identity->player;
  const auto row = co_await parts_.friends.challenge(std::move(*request.mutable_challenge_id()),
                                                     base::unix_ms());
  if (!row) co_return std::unexpected(row.error());
  const bool is_for_one = row->to && row->state == store::ChallengeState::kOpen;
  if (is_for_one && viewer != row->from.id && viewer != row->to->id) {
    co_return none_to_caller();
  }
  account::v1::GetChallengeResponse response;
  *response.mutable_challenge() = to_proto(*row, viewer);
  co_return response;
}

awaitable<Expected<store::TableRow>> FriendService::table_of(std::string challenge,
                                                             PlayerId player) {
  const auto row = co_await parts_.friends.challenge(std::move(challenge), base::unix_ms());
  if (!row) co_return std::unexpected(row.error());
  if (!row->table || !row->to || row->to->id != player) {
    co_return refuse(ErrorCode::kTaken, "This challenge was answered before.");
  }
  co_return co_await parts_.directory.stored(*row->table);
}

awaitable<Expected<void>> FriendService::accept(store::ChallengeRow challenge,
                                                accounts::Identity player, bool contributes,
                                                quota::QuotaPtr from) {
  const std::int64_t now_ms = base::unix_ms();
  if (!parts_.players.may_play(challenge.from.id)) {
    co_return refuse(ErrorCode::kPermissionDenied, "The challenger may not play now.");
  }
  if (auto there = check_there(challenge, now_ms); !there) co_return there;
  if (auto counted = parts_.admission.count_table(from, player.player); !counted) co_return counted;
  auto held = parts_.directory.live_tables().hold(parts_.admission, from, player.player);
  if (!held) co_return std::unexpected(std::move(held.error()));
  auto wanted = wanted_by(challenge);
  if (!wanted) co_return std::unexpected(std::move(wanted.error()));
  auto seat = other_seat(*wanted, player.player, std::move(player.display_name));
  seat.contribute_later = contributes;
  wanted->players = {std::move(seat)};
  auto prepared = parts_.directory.prepare(*std::move(wanted));
  if (!prepared) co_return std::unexpected(std::move(prepared.error()));
  store::Acceptance acceptance{.challenge = challenge.id,
                               .player = player.player,
                               .now_ms = now_ms,
                               .table = prepared->row,
                               .first_record = std::move(prepared->first_record),
                               .outcome = std::move(prepared->outcome)};
  const auto accepted = co_await parts_.friends.accept_challenge(std::move(acceptance));
  if (!accepted) co_return accepted;
  // The same player may have accepted by another call at the same moment.
  const auto stored = co_await table_of(challenge.id, player.player);
  if (!stored) co_return std::unexpected(stored.error());
  if (stored->id != prepared->row.id) co_return Expected<void>{};
  directory::TableSlots slots{{player.player, *std::move(held)}};
  co_await parts_.directory.begin(std::move(prepared->row), std::move(slots));
  co_return Expected<void>{};
}

awaitable<Expected<account::v1::AcceptChallengeResponse>> FriendService::accept_challenge(
    account::v1::AcceptChallengeRequest request, rpc::Caller caller) {
  const auto identity =
      co_await parts_.players.admit_to_play(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  auto challenge = co_await parts_.friends.challenge(request.challenge_id(), base::unix_ms());
  if (!challenge) co_return std::unexpected(challenge.error());
  if (challenge->state == store::ChallengeState::kOpen) {
    const bool is_for_other = challenge->to && challenge->to->id != identity->player;
    if (is_for_other || challenge->from.id == identity->player) co_return none_to_caller();
    const auto accepted =
        co_await accept(*std::move(challenge), *identity, request.contribute_later(), caller.quota);
    if (!accepted) co_return std::unexpected(accepted.error());
  }
  const auto table = co_await table_of(request.challenge_id(), identity->player);
  if (!table) co_return std::unexpected(table.error());
  account::v1::AcceptChallengeResponse response;
  *response.mutable_table() = directory::to_proto(*table, identity->player);
  co_return response;
}

awaitable<Expected<account::v1::DeclineChallengeResponse>> FriendService::decline_challenge(
    account::v1::DeclineChallengeRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto declined = co_await parts_.friends.decline_challenge(
      std::move(*request.mutable_challenge_id()), identity->player, base::unix_ms());
  if (!declined) co_return std::unexpected(declined.error());
  co_return account::v1::DeclineChallengeResponse{};
}

awaitable<Expected<account::v1::WithdrawChallengeResponse>> FriendService::withdraw_challenge(
    account::v1::WithdrawChallengeRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto withdrawn = co_await parts_.friends.withdraw_challenge(
      std::move(*request.mutable_challenge_id()), identity->player);
  if (!withdrawn) co_return std::unexpected(withdrawn.error());
  co_return account::v1::WithdrawChallengeResponse{};
}

awaitable<Expected<account::v1::ListChallengesResponse>> FriendService::list_challenges(
    account::v1::ListChallengesRequest /*request*/, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const std::int64_t now_ms = base::unix_ms();
  const auto lists = co_await parts_.friends.challenges(identity->player, now_ms);
  if (!lists) co_return std::unexpected(lists.error());
  const auto noted = co_await note_here(identity->player, lists->here_ms, now_ms);
  if (!noted) co_return std::unexpected(noted.error());
  co_return to_proto(*lists, identity->player);
}

}  // namespace tesela::services
