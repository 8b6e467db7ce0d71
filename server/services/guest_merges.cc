#include "server/services/guest_merges.h"

#include <string>
#include <utility>

#include "server/base/clock.h"
#include "server/quota/admission_control.h"

namespace tesela::services {
namespace {

using boost::asio::awaitable;

account::v1::MergeGuestResponse to_proto(const store::Merged& merged) {
  account::v1::MergeGuestResponse response;
  response.set_guest_name(merged.guest_name);
  response.set_games(merged.games);
  response.set_games_in_play(merged.in_play);
  response.set_games_left(merged.left);
  response.set_scores(merged.scores);
  for (const store::MergedRating& rating : merged.ratings) {
    account::v1::MergedRating& shown = *response.add_ratings();
    shown.set_game(rating.game);
    shown.set_guest(rating.guest);
    if (rating.account) shown.set_account(*rating.account);
    shown.set_guest_stays(rating.of_guest);
  }
  return response;
}

/// Not UNAUTHENTICATED, which is about the caller's own token.
std::unexpected<Error> not_valid(const Error& why) {
  return refuse(ErrorCode::kPermissionDenied, "The guest_token: " + why.message);
}

}  // namespace

rpc::Method GuestMerges::method() {
  return rpc::method_by(*this, &GuestMerges::merge_guest);
}

awaitable<Expected<account::v1::MergeGuestResponse>> GuestMerges::merge_guest(
    account::v1::MergeGuestRequest request, rpc::Caller caller) {
  const auto identity =
      co_await parts_.players.admit_to_play(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  if (caller.quota && !caller.quota->take(quota::Act::kSignIn)) {
    co_return quota::too_often(quota::Act::kSignIn);
  }
  const auto guest = parts_.tokens.verify_signed(request.guest_token());
  if (!guest) co_return not_valid(guest.error());
  const store::Merge wanted{.guest = guest->player,
                            .account = identity->player,
                            .at_ms = base::unix_ms(),
                            .only_looks = request.only_look()};
  auto merged = co_await merge(request.guest_token(), wanted);
  if (!merged) co_return std::unexpected(std::move(merged.error()));
  if (!wanted.only_looks) {
    auto done = co_await carry_out(wanted, std::move(merged->ended));
    if (!done) co_return std::unexpected(std::move(done.error()));
  }
  co_return to_proto(*merged);
}

/// A repeated call comes with the token of a guest who is gone.
awaitable<Expected<store::Merged>> GuestMerges::merge(std::string guest_token,
                                                      store::Merge wanted) {
  auto admitted = parts_.tokens.verify(guest_token);
  if (!admitted) wanted.only_looks = true;
  auto merged = co_await parts_.personal.merge(wanted);
  if (!merged && merged.error().code == ErrorCode::kNotFound) co_return not_valid(merged.error());
  if (admitted || (merged && merged->merged_before)) co_return merged;
  co_return not_valid(admitted.error());
}

awaitable<Expected<void>> GuestMerges::carry_out(store::Merge done, std::vector<SessionId> ended) {
  for (const SessionId session : ended) parts_.tokens.sessions().end(session);
  parts_.tokens.revoke(done.guest);
  parts_.tokens.acts().forget(done.guest);
  const auto account = co_await parts_.store.player(done.account);
  if (!account) co_return std::unexpected(account.error());
  const auto tables = co_await tables_.merge(done.guest, done.account, account->display_name);
  if (!tables) co_return std::unexpected(tables.error());
  co_return Expected<void>{};
}

}  // namespace tesela::services
