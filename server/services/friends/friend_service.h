// The methods of tesela.account.v1.FriendService.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <vector>

#include "server/accounts/players.h"
#include "server/accounts/tokens.h"
#include "server/directory/directory.h"
#include "server/quota/admission_control.h"
#include "server/rpc/method.h"
#include "server/store/friends.h"
#include "server/store/profiles.h"
#include "tesela/account/v1/friends.pb.h"

namespace tesela::services {

/// Any thread. Outlives its calls.
class FriendService {
 public:
  struct Parts {
    store::Friends& friends;
    store::Profiles& profiles;
    accounts::Players& players;
    const accounts::Tokens& tokens;
    quota::AdmissionControl& admission;
    directory::Directory& directory;
  };

  explicit FriendService(Parts parts) : parts_(parts) {}

  [[nodiscard]] std::vector<rpc::Method> methods();

 private:
  template <class Response>
  using Answer = boost::asio::awaitable<Expected<Response>>;

  /// Has the store change what the caller is to the other player that a request names.
  template <class Request, class Response, auto kChange>
  Answer<Response> change(Request request, rpc::Caller caller);
  Answer<account::v1::ListFriendsResponse> list_friends(account::v1::ListFriendsRequest request,
                                                        rpc::Caller caller);
  Answer<account::v1::SetChallengersResponse> set_challengers(
      account::v1::SetChallengersRequest request, rpc::Caller caller);
  Answer<account::v1::ChallengeResponse> challenge(account::v1::ChallengeRequest request,
                                                   rpc::Caller caller);
  Answer<account::v1::GetChallengeResponse> get_challenge(account::v1::GetChallengeRequest request,
                                                          rpc::Caller caller);
  Answer<account::v1::AcceptChallengeResponse> accept_challenge(
      account::v1::AcceptChallengeRequest request, rpc::Caller caller);
  Answer<account::v1::DeclineChallengeResponse> decline_challenge(
      account::v1::DeclineChallengeRequest request, rpc::Caller caller);
  Answer<account::v1::WithdrawChallengeResponse> withdraw_challenge(
      account::v1::WithdrawChallengeRequest request, rpc::Caller caller);
  Answer<account::v1::ListChallengesResponse> list_challenges(
      account::v1::ListChallengesRequest request, rpc::Caller caller);

  /// Errors: kInvalidArgument, also for `caller`; kNotFound for a handle that nobody has.
  Answer<PlayerId> other_of(account::v1::Whom whom, PlayerId caller);
  /// Stores that the player is there, if what is stored is too old.
  boost::asio::awaitable<Expected<void>> note_here(PlayerId player, std::int64_t here_ms,
                                                   std::int64_t now_ms);
  /// The table that an acceptance has made, here or elsewhere.
  Answer<store::TableRow> table_of(std::string challenge, PlayerId player);
  /// Makes the table of an open challenge for the player who accepts it.
  boost::asio::awaitable<Expected<void>> accept(store::ChallengeRow challenge,
                                                accounts::Identity player, bool contributes,
                                                quota::QuotaPtr from);

  const Parts parts_;
};

}  // namespace tesela::services
