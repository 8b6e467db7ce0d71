// The methods of tesela.account.v1.AccountService.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <utility>
#include <vector>

#include "server/accounts/hasher.h"
#include "server/accounts/passkeys.h"
#include "server/accounts/players.h"
#include "server/oidc/provider.h"
#include "server/quota/admission_control.h"
#include "server/rpc/method.h"
#include "server/services/guest_merges.h"
#include "server/services/oidc_sign_ins.h"
#include "server/store/accounts.h"
#include "server/store/store.h"
#include "tesela/account/v1/account.pb.h"

namespace tesela::services {

/// A session, and a credential, as they are shown.
[[nodiscard]] account::v1::Session to_proto(const store::SessionRow& row, SessionId current);
[[nodiscard]] account::v1::Credential to_proto(const store::CredentialRow& row);

[[nodiscard]] account::v1::SignedIn to_proto(const accounts::SignedIn& signed_in);

/// The caller, if the account is kept here. Errors: those of Players::admit; kPermissionDenied.
boost::asio::awaitable<Expected<accounts::Identity>> owner(accounts::Players& players,
                                                           rpc::Caller caller);

/// Any thread. Outlives its calls.
class AccountService {
 public:
  struct Parts {
    store::Store& store;
    store::Accounts& accounts;
    accounts::Players& players;
    quota::AdmissionControl& admission;
    accounts::Passkeys passkeys;
    GuestMerges& merges;
    oidc::Provider* provider{};  // null: none
    std::string provider_name{};
  };

  explicit AccountService(Parts parts)
      : parts_(std::move(parts)),
        oidc_({parts_.accounts, parts_.players, parts_.provider, parts_.provider_name}) {}

  [[nodiscard]] std::vector<rpc::Method> methods();

 private:
  template <class Response>
  using Answer = boost::asio::awaitable<Expected<Response>>;

  Answer<account::v1::GetAccountResponse> get_account(account::v1::GetAccountRequest request,
                                                      rpc::Caller caller);
  Answer<account::v1::EndSessionResponse> end_session(account::v1::EndSessionRequest request,
                                                      rpc::Caller caller);
  Answer<account::v1::MakeRecoveryCodeResponse> make_recovery_code(
      account::v1::MakeRecoveryCodeRequest request, rpc::Caller caller);
  Answer<account::v1::SignInWithCodeResponse> sign_in_with_code(
      account::v1::SignInWithCodeRequest request, rpc::Caller caller);
  Answer<account::v1::BeginPasskeyResponse> begin_passkey(account::v1::BeginPasskeyRequest request,
                                                          rpc::Caller caller);
  Answer<account::v1::AddPasskeyResponse> add_passkey(account::v1::AddPasskeyRequest request,
                                                      rpc::Caller caller);
  Answer<account::v1::SignInWithPasskeyResponse> sign_in_with_passkey(
      account::v1::SignInWithPasskeyRequest request, rpc::Caller caller);
  Answer<account::v1::NameCredentialResponse> name_credential(
      account::v1::NameCredentialRequest request, rpc::Caller caller);
  Answer<account::v1::RemoveCredentialResponse> remove_credential(
      account::v1::RemoveCredentialRequest request, rpc::Caller caller);

  const Parts parts_;
  OidcSignIns oidc_;
  accounts::Hasher hasher_;
};

}  // namespace tesela::services
