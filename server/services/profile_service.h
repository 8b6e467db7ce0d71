// The methods of tesela.account.v1.ProfileService.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/accounts/players.h"
#include "server/accounts/tokens.h"
#include "server/rpc/method.h"
#include "server/store/profiles.h"
#include "server/store/store.h"
#include "tesela/account/v1/profile.pb.h"

namespace tesela::services {

/// Whether `viewer`, none for a stranger, may see a player's profile and list the player's tables.
/// Error: kPermissionDenied.
[[nodiscard]] Expected<void> check_audience(const store::PlayerRow& player,
                                            std::optional<PlayerId> viewer);

/// What a profile is read from. All outlive it.
struct ProfileSources {
  store::Store& store;
  store::Profiles& profiles;
};

/// The profile of a player, for whoever may see it. Errors: those of the store.
[[nodiscard]] boost::asio::awaitable<Expected<account::v1::GetProfileResponse>> profile_of(
    ProfileSources sources, store::PlayerRow player);

/// Any thread. Outlives its calls.
class ProfileService {
 public:
  struct Parts {
    ProfileSources sources;
    accounts::Players& players;
    const accounts::Tokens& tokens;
  };

  explicit ProfileService(Parts parts) : parts_(parts) {}

  [[nodiscard]] std::vector<rpc::Method> methods();

 private:
  template <class Response>
  using Answer = boost::asio::awaitable<Expected<Response>>;

  Answer<account::v1::GetProfileResponse> get_profile(account::v1::GetProfileRequest request,
                                                      rpc::Caller caller);
  Answer<account::v1::FindPlayersResponse> find_players(account::v1::FindPlayersRequest request,
                                                        rpc::Caller caller);
  Answer<account::v1::ClaimHandleResponse> claim_handle(account::v1::ClaimHandleRequest request,
                                                        rpc::Caller caller);
  Answer<account::v1::SetAudienceResponse> set_audience(account::v1::SetAudienceRequest request,
                                                        rpc::Caller caller);
  /// The player that is meant. Errors: kInvalidArgument, kNotFound.
  Answer<store::PlayerRow> meant_by(account::v1::GetProfileRequest request);

  const Parts parts_;
};

}  // namespace tesela::services
