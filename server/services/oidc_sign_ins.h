// Signing in elsewhere: the methods of tesela.account.v1.AccountService about OpenID Connect.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <utility>

#include "server/accounts/players.h"
#include "server/oidc/provider.h"
#include "server/rpc/method.h"
#include "server/store/accounts.h"
#include "tesela/account/v1/account.pb.h"

namespace tesela::services {

/// Any thread. Outlives its calls.
class OidcSignIns {
 public:
  struct Parts {
    store::Accounts& accounts;
    accounts::Players& players;
    oidc::Provider* provider;   // null: every call is refused
    std::string provider_name;  // of its credentials
  };

  explicit OidcSignIns(Parts parts) : parts_(std::move(parts)) {}

  template <class Response>
  using Answer = boost::asio::awaitable<Expected<Response>>;

  Answer<account::v1::BeginOidcResponse> begin(account::v1::BeginOidcRequest request,
                                               rpc::Caller caller);
  Answer<account::v1::AddOidcResponse> add(account::v1::AddOidcRequest request, rpc::Caller caller);
  Answer<account::v1::SignInWithOidcResponse> sign_in(account::v1::SignInWithOidcRequest request,
                                                      rpc::Caller caller);

 private:
  /// A member with this account at the provider, who comes back or is new.
  Answer<account::v1::SignInWithOidcResponse> come_back(oidc::Provider::Proof proof,
                                                        std::string name,
                                                        accounts::Players::Device device);
  [[nodiscard]] store::CredentialRow row_of(const oidc::Provider::Proof& proof,
                                            PlayerId player) const;

  const Parts parts_;
};

}  // namespace tesela::services
