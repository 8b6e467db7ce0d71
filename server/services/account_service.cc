#include "server/services/account_service.h"

#include <google/protobuf/util/time_util.h>

#include <chrono>
#include <optional>
#include <utility>

#include "server/accounts/recovery_code.h"
#include "server/base/clock.h"
#include "server/base/scale_limits.h"
#include "server/base/text_encoding.h"
#include "server/codec/shown_text.h"

namespace tesela::services {
namespace {

using boost::asio::awaitable;
using google::protobuf::util::TimeUtil;

/// Which sessions a request means.
struct Meant {
  std::optional<SessionId> only{};
  std::optional<SessionId> but{};
};

Expected<Meant> meant_by(const account::v1::EndSessionRequest& request, SessionId current) {
  if (request.has_session_id()) {
    const auto id = base::parse_id<SessionId>(request.session_id());
    if (id) return Meant{.only = id};
    return refuse(ErrorCode::kInvalidArgument, "The session_id is not one: GetAccount has them.");
  }
  if (!request.all_others() && !request.current()) {
    return refuse(ErrorCode::kInvalidArgument,
                  "Say which sessions: session_id, all_others or current.");
  }
  if (current == SessionId{}) {
    return refuse(ErrorCode::kPermissionDenied,
                  "The token belongs to no session: renew it, or sign out where it was made.");
  }
  if (request.current()) return Meant{.only = current};
  return Meant{.but = current};
}

/// The same sentence for every code that does not fit, whatever is wrong with it.
std::unexpected<Error> no_such_code() {
  return refuse(ErrorCode::kPermissionDenied,
                "Nobody has this recovery code: look at each word, or whether a newer one was "
                "made.");
}

}  // namespace

account::v1::SignedIn to_proto(const accounts::SignedIn& signed_in) {
  account::v1::SignedIn message;
  message.set_token(signed_in.proof.token);
  message.set_player_id(base::to_text(signed_in.identity.player));
  message.set_display_name(signed_in.identity.display_name);
  *message.mutable_expires_at() =
      TimeUtil::TimeTToTimestamp(std::chrono::system_clock::to_time_t(signed_in.proof.expires));
  return message;
}

awaitable<Expected<accounts::Identity>> owner(accounts::Players& players, rpc::Caller caller) {
  auto identity = co_await players.admit(std::move(caller.token), caller.quota);
  if (!identity || !identity->of_issuer) co_return identity;
  co_return refuse(ErrorCode::kPermissionDenied,
                   "This account is not kept here: whoever issues its tokens signs it in.");
}

account::v1::Session to_proto(const store::SessionRow& row, SessionId current) {
  account::v1::Session session;
  session.set_session_id(base::to_text(row.id));
  session.set_device(row.device);
  *session.mutable_created_at() = TimeUtil::MillisecondsToTimestamp(row.created_ms);
  *session.mutable_seen_at() = TimeUtil::MillisecondsToTimestamp(row.seen_ms);
  session.set_current(row.id == current);
  return session;
}

account::v1::Credential to_proto(const store::CredentialRow& row) {
  account::v1::Credential credential;
  credential.set_credential_id(row.id);
  credential.set_kind(static_cast<account::v1::CredentialKind>(row.kind));
  credential.set_name(row.name);
  *credential.mutable_created_at() = TimeUtil::MillisecondsToTimestamp(row.created_ms);
  if (row.used_ms) *credential.mutable_used_at() = TimeUtil::MillisecondsToTimestamp(*row.used_ms);
  return credential;
}

std::vector<rpc::Method> AccountService::methods() {
  using Account = AccountService;
  return rpc::methods_of("tesela.account.v1.AccountService",
                         {
                             rpc::method_by(*this, &Account::get_account),
                             rpc::method_by(*this, &Account::end_session),
                             rpc::method_by(*this, &Account::make_recovery_code),
                             rpc::method_by(*this, &Account::sign_in_with_code),
                             rpc::method_by(*this, &Account::begin_passkey),
                             rpc::method_by(*this, &Account::add_passkey),
                             rpc::method_by(*this, &Account::sign_in_with_passkey),
                             rpc::method_by(oidc_, &OidcSignIns::begin),
                             rpc::method_by(oidc_, &OidcSignIns::add),
                             rpc::method_by(oidc_, &OidcSignIns::sign_in),
                             rpc::method_by(*this, &Account::name_credential),
                             rpc::method_by(*this, &Account::remove_credential),
                             parts_.merges.method(),
                         });
}

awaitable<Expected<account::v1::GetAccountResponse>> AccountService::get_account(
    account::v1::GetAccountRequest /*request*/, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto player = co_await parts_.store.player(identity->player);
  if (!player) co_return std::unexpected(player.error());
  const auto sessions =
      co_await parts_.accounts.sessions(identity->player, parts_.players.dead_before_ms());
  if (!sessions) co_return std::unexpected(sessions.error());
  const auto credentials = co_await parts_.accounts.credentials(identity->player);
  if (!credentials) co_return std::unexpected(credentials.error());
  account::v1::GetAccountResponse response;
  response.set_player_id(base::to_text(player->id));
  response.set_display_name(player->display_name);
  response.set_member(player->kind == store::PlayerKind::kMember);
  response.set_of_issuer(identity->of_issuer);
  for (const store::SessionRow& row : *sessions) {
    *response.add_sessions() = to_proto(row, identity->session);
  }
  for (const store::CredentialRow& row : *credentials) {
    *response.add_credentials() = to_proto(row);
  }
  co_return response;
}

awaitable<Expected<account::v1::EndSessionResponse>> AccountService::end_session(
    account::v1::EndSessionRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto meant = meant_by(request, identity->session);
  if (!meant) co_return std::unexpected(meant.error());
  const auto ended =
      co_await parts_.players.end_sessions(identity->player, meant->only, meant->but);
  if (!ended) co_return std::unexpected(ended.error());
  account::v1::EndSessionResponse response;
  response.set_ended(static_cast<std::uint32_t>(*ended));
  co_return response;
}

awaitable<Expected<account::v1::MakeRecoveryCodeResponse>> AccountService::make_recovery_code(
    account::v1::MakeRecoveryCodeRequest /*request*/, rpc::Caller caller) {
  const auto identity = co_await owner(parts_.players, std::move(caller));
  if (!identity) co_return std::unexpected(identity.error());
  const auto code = accounts::RecoveryCode::random();
  auto hash = co_await hasher_.hash(code.secret);
  if (!hash) co_return std::unexpected(std::move(hash.error()));
  const store::CredentialRow row{.id = code.locator,
                                 .player = identity->player,
                                 .kind = store::CredentialKind::kRecoveryCode,
                                 .secret = std::move(*hash),
                                 .created_ms = base::unix_ms()};
  const auto added = co_await parts_.accounts.add_credential(row);
  if (!added) co_return std::unexpected(added.error());
  account::v1::MakeRecoveryCodeResponse response;
  response.set_code(code.words());
  *response.mutable_credential() = to_proto(row);
  co_return response;
}

// A locator that nobody has costs the same work as a wrong secret.
awaitable<Expected<account::v1::SignInWithCodeResponse>> AccountService::sign_in_with_code(
    account::v1::SignInWithCodeRequest request, rpc::Caller caller) {
  if (auto may = parts_.players.may_sign_in(); !may) co_return std::unexpected(may.error());
  const auto code = accounts::RecoveryCode::read(request.code());
  if (!code) co_return std::unexpected(code.error());
  if (caller.quota && !caller.quota->take(quota::Act::kSignIn)) {
    co_return quota::too_often(quota::Act::kSignIn);
  }
  if (auto counted = parts_.admission.count_code(caller.quota, code->locator); !counted) {
    co_return std::unexpected(std::move(counted.error()));
  }
  const auto row = co_await parts_.accounts.credential(code->locator);
  if (!row && row.error().code != ErrorCode::kNotFound) co_return std::unexpected(row.error());
  const bool known = row && row->kind == store::CredentialKind::kRecoveryCode;
  std::string hash = known ? row->secret : std::string{};
  const auto fits = co_await hasher_.check(std::move(hash), code->secret);
  if (!fits) co_return std::unexpected(fits.error());
  if (!known || !*fits) co_return no_such_code();
  accounts::Players::Device device{
      .secret = request.device_secret(), .name = request.device(), .from = caller.address};
  store::CredentialUse use{.id = row->id, .secret = row->secret};
  const auto signed_in =
      co_await parts_.players.come_back(row->player, std::move(device), std::move(use), {});
  if (!signed_in) co_return std::unexpected(signed_in.error());
  account::v1::SignInWithCodeResponse response;
  *response.mutable_signed_in() = to_proto(*signed_in);
  co_return response;
}

awaitable<Expected<account::v1::BeginPasskeyResponse>> AccountService::begin_passkey(
    account::v1::BeginPasskeyRequest request, rpc::Caller caller) {
  const auto now = std::chrono::system_clock::now();
  const accounts::Challenges& challenges = parts_.passkeys.challenges();
  account::v1::BeginPasskeyResponse response;
  response.set_rp_id(parts_.passkeys.rp_id());
  response.set_timeout_ms(
      static_cast<std::uint32_t>(std::chrono::milliseconds{accounts::kChallengeTime}.count()));
  if (request.purpose() == account::v1::PASSKEY_PURPOSE_SIGN_IN) {
    response.set_challenge(challenges.make(accounts::Purpose::kSignIn, PlayerId{}, now));
    co_return response;
  }
  if (request.purpose() != account::v1::PASSKEY_PURPOSE_REGISTER) {
    co_return refuse(ErrorCode::kInvalidArgument, "Say what the challenge is for: its purpose.");
  }
  const auto identity = co_await owner(parts_.players, std::move(caller));
  if (!identity) co_return std::unexpected(identity.error());
  const auto known = co_await parts_.accounts.credentials(identity->player);
  if (!known) co_return std::unexpected(known.error());
  response.set_challenge(challenges.make(accounts::Purpose::kRegister, identity->player, now));
  response.set_user_handle(accounts::user_handle_of(identity->player));
  response.set_user_name(identity->display_name);
  for (const int algorithm : accounts::kPasskeyAlgorithms) response.add_algorithms(algorithm);
  for (const store::CredentialRow& row : *known) {
    if (row.kind == store::CredentialKind::kPasskey) response.add_known_ids(row.id);
  }
  co_return response;
}

awaitable<Expected<account::v1::AddPasskeyResponse>> AccountService::add_passkey(
    account::v1::AddPasskeyRequest request, rpc::Caller caller) {
  const auto identity = co_await owner(parts_.players, std::move(caller));
  if (!identity) co_return std::unexpected(identity.error());
  auto name = codec::shown_text(request.name(), limits::kDeviceNameMax, "name");
  if (!name) co_return std::unexpected(std::move(name.error()));
  auto made = parts_.passkeys.made(request.client_data_json(), request.authenticator_data(),
                                   identity->player, std::chrono::system_clock::now());
  if (!made) co_return std::unexpected(std::move(made.error()));
  const store::CredentialRow row{.id = std::move(made->id),
                                 .player = identity->player,
                                 .kind = store::CredentialKind::kPasskey,
                                 .name = std::move(*name),
                                 .secret = std::move(made->public_key),
                                 .uses = made->uses,
                                 .created_ms = base::unix_ms()};
  const auto added = co_await parts_.accounts.add_credential(row);
  if (!added) co_return std::unexpected(added.error());
  account::v1::AddPasskeyResponse response;
  *response.mutable_credential() = to_proto(row);
  co_return response;
}

awaitable<Expected<account::v1::SignInWithPasskeyResponse>> AccountService::sign_in_with_passkey(
    account::v1::SignInWithPasskeyRequest request, rpc::Caller caller) {
  if (auto may = parts_.players.may_sign_in(); !may) co_return std::unexpected(may.error());
  if (caller.quota && !caller.quota->take(quota::Act::kSignIn)) {
    co_return quota::too_often(quota::Act::kSignIn);
  }
  const auto row = co_await parts_.accounts.credential(request.credential_id());
  if (!row && row.error().code != ErrorCode::kNotFound) co_return std::unexpected(row.error());
  if (!row || row->kind != store::CredentialKind::kPasskey) {
    co_return refuse(ErrorCode::kPermissionDenied,
                     "This passkey is not known here: it was removed, or its account is gone.");
  }
  if (request.user_handle() != accounts::user_handle_of(row->player)) {
    co_return refuse(ErrorCode::kPermissionDenied, "This passkey is another player's.");
  }
  const accounts::Assertion assertion{.client_data_json = request.client_data_json(),
                                      .authenticator_data = request.authenticator_data(),
                                      .signature = request.signature()};
  auto shown = parts_.passkeys.signed_in(assertion, row->secret, std::chrono::system_clock::now());
  if (!shown) co_return std::unexpected(std::move(shown.error()));
  accounts::Players::Device device{
      .secret = request.device_secret(), .name = request.device(), .from = caller.address};
  store::CredentialUse use{.id = row->id, .secret = row->secret, .uses = shown->uses};
  const auto signed_in = co_await parts_.players.come_back(
      row->player, std::move(device), std::move(use), std::move(shown->challenge));
  if (!signed_in) co_return std::unexpected(signed_in.error());
  account::v1::SignInWithPasskeyResponse response;
  *response.mutable_signed_in() = to_proto(*signed_in);
  co_return response;
}

awaitable<Expected<account::v1::NameCredentialResponse>> AccountService::name_credential(
    account::v1::NameCredentialRequest request, rpc::Caller caller) {
  const auto identity = co_await owner(parts_.players, std::move(caller));
  if (!identity) co_return std::unexpected(identity.error());
  auto name = codec::shown_text(request.name(), limits::kDeviceNameMax, "name");
  if (!name) co_return std::unexpected(std::move(name.error()));
  const auto named = co_await parts_.accounts.name_credential(
      identity->player, request.credential_id(), std::move(*name));
  if (!named) co_return std::unexpected(named.error());
  co_return account::v1::NameCredentialResponse{};
}

awaitable<Expected<account::v1::RemoveCredentialResponse>> AccountService::remove_credential(
    account::v1::RemoveCredentialRequest request, rpc::Caller caller) {
  const auto identity = co_await owner(parts_.players, std::move(caller));
  if (!identity) co_return std::unexpected(identity.error());
  const auto removed = co_await parts_.accounts.remove_credential(
      identity->player, request.credential_id(), request.last_too());
  if (!removed) co_return std::unexpected(removed.error());
  co_return account::v1::RemoveCredentialResponse{};
}

}  // namespace tesela::services
