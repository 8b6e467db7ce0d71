#include "server/services/oidc_sign_ins.h"

#include "server/base/clock.h"
#include "server/codec/shown_text.h"
#include "server/quota/admission_control.h"
#include "server/services/account_service.h"

namespace tesela::services {
namespace {

using boost::asio::awaitable;

std::unexpected<Error> no_provider() {
  return refuse(ErrorCode::kNotFound,
                "Nobody signs in elsewhere here: the operator has set no provider "
                "(--oidc-issuer).");
}

/// Who signs in, or adds an account elsewhere to that of `player`.
oidc::Claimant claimant_by(const std::string& browser_secret, PlayerId player = {}) {
  return {
      .purpose = player == PlayerId{} ? accounts::Purpose::kSignIn : accounts::Purpose::kRegister,
      .player = player,
      .browser_secret = browser_secret};
}

oidc::Provider::Answer answer_of(const account::v1::OidcAnswer& answer) {
  return {.code = answer.code(), .state = answer.state(), .issuer = answer.iss()};
}

}  // namespace

awaitable<Expected<account::v1::BeginOidcResponse>> OidcSignIns::begin(
    account::v1::BeginOidcRequest request, rpc::Caller caller) {
  if (parts_.provider == nullptr) co_return no_provider();
  oidc::Claimant claimant = claimant_by(request.browser_secret());
  if (request.add()) {
    const auto identity = co_await owner(parts_.players, std::move(caller));
    if (!identity) co_return std::unexpected(identity.error());
    claimant = claimant_by(request.browser_secret(), identity->player);
  }
  auto begun = co_await parts_.provider->begin(std::move(claimant));
  if (!begun) co_return std::unexpected(std::move(begun.error()));
  account::v1::BeginOidcResponse response;
  response.set_authorization_url(std::move(begun->url));
  response.set_state(std::move(begun->state));
  co_return response;
}

awaitable<Expected<account::v1::AddOidcResponse>> OidcSignIns::add(
    account::v1::AddOidcRequest request, rpc::Caller caller) {
  if (parts_.provider == nullptr) co_return no_provider();
  const quota::QuotaPtr quota = caller.quota;
  const auto identity = co_await owner(parts_.players, std::move(caller));
  if (!identity) co_return std::unexpected(identity.error());
  if (quota && !quota->take(quota::Act::kSignIn)) co_return quota::too_often(quota::Act::kSignIn);
  auto claimant = claimant_by(request.answer().browser_secret(), identity->player);
  const auto proof =
      co_await parts_.provider->finish(std::move(claimant), answer_of(request.answer()));
  if (!proof) co_return std::unexpected(proof.error());
  const store::CredentialRow row = row_of(*proof, identity->player);
  const auto added = co_await parts_.accounts.add_credential(row);
  if (!added) co_return std::unexpected(added.error());
  account::v1::AddOidcResponse response;
  *response.mutable_credential() = to_proto(row);
  co_return response;
}

awaitable<Expected<account::v1::SignInWithOidcResponse>> OidcSignIns::sign_in(
    account::v1::SignInWithOidcRequest request, rpc::Caller caller) {
  if (parts_.provider == nullptr) co_return no_provider();
  if (auto may = parts_.players.may_sign_in(); !may) co_return std::unexpected(may.error());
  if (caller.quota && !caller.quota->take(quota::Act::kSignIn)) {
    co_return quota::too_often(quota::Act::kSignIn);
  }
  accounts::Players::Device device{
      .secret = request.device_secret(), .name = request.device(), .from = caller.address};
  // Before the code is spent.
  if (auto fit = accounts::Players::check(device); !fit) co_return std::unexpected(fit.error());
  if (!request.display_name().empty()) {
    if (const auto shown = codec::shown_name(request.display_name()); !shown) {
      co_return std::unexpected(shown.error());
    }
  }
  auto claimant = claimant_by(request.answer().browser_secret());
  auto proof = co_await parts_.provider->finish(std::move(claimant), answer_of(request.answer()));
  if (!proof) co_return std::unexpected(std::move(proof.error()));
  co_return co_await come_back(std::move(*proof), request.display_name(), std::move(device));
}

store::CredentialRow OidcSignIns::row_of(const oidc::Provider::Proof& proof,
                                         PlayerId player) const {
  return {.id = proof.account,
          .player = player,
          .kind = store::CredentialKind::kOidc,
          .name = parts_.provider_name,
          .created_ms = base::unix_ms()};
}

awaitable<Expected<account::v1::SignInWithOidcResponse>> OidcSignIns::come_back(
    oidc::Provider::Proof proof, std::string name, accounts::Players::Device device) {
  account::v1::SignInWithOidcResponse response;
  auto row = co_await parts_.accounts.credential(proof.account);
  if (!row && row.error().code == ErrorCode::kNotFound) {
    std::string challenge = proof.challenge;
    auto made = co_await parts_.players.sign_in(std::move(name), device, std::move(challenge));
    if (!made) co_return std::unexpected(std::move(made.error()));
    store::CredentialRow credential = row_of(proof, made->identity.player);
    const auto added = co_await parts_.accounts.add_credential(std::move(credential));
    // kTaken: another call has made the account meanwhile. This one's guest is left behind, with
    // the challenge.
    if (!added) co_return std::unexpected(added.error());
    *response.mutable_signed_in() = to_proto(*made);
    response.set_made(true);
    co_return response;
  }
  if (!row) co_return std::unexpected(std::move(row.error()));
  store::CredentialUse use{.id = row->id, .secret = row->secret};
  const auto signed_in = co_await parts_.players.come_back(
      row->player, std::move(device), std::move(use), std::move(proof.challenge));
  if (!signed_in) co_return std::unexpected(signed_in.error());
  *response.mutable_signed_in() = to_proto(*signed_in);
  co_return response;
}

}  // namespace tesela::services
