#include "server/accounts/players.h"

#include <utility>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/base/limits.h"
#include "server/codec/shown_text.h"

namespace tesela::accounts {
namespace {

using boost::asio::awaitable;

Expected<void> check_device_secret(const std::string& secret) {
  if (secret.empty() || (secret.size() >= limits::kDeviceSecretBytesMin &&
                         secret.size() <= limits::kDeviceSecretBytesMax)) {
    return {};
  }
  return refuse(ErrorCode::kInvalidArgument,
                "device_secret has " + std::to_string(secret.size()) + " bytes; give " +
                    std::to_string(limits::kDeviceSecretBytesMin) + " to " +
                    std::to_string(limits::kDeviceSecretBytesMax) + ", or leave it out.");
}

/// Whether the row is this player of the issuer, and not another account with the same id. Rows of
/// before the first release may have only the id to tell.
bool is_account_of(const store::PlayerRow& row, const Identity& identity) {
  if (row.kind == store::PlayerKind::kPerson) return true;
  return row.kind == store::PlayerKind::kOfIssuer && row.identity == identity.account_hash;
}

}  // namespace

awaitable<Expected<SignedIn>> Players::sign_in(std::string name, std::string device_secret) {
  if (auto fit = check_device_secret(device_secret); !fit) {
    co_return std::unexpected(std::move(fit.error()));
  }
  auto shown = codec::shown_name(name);
  if (!shown) co_return std::unexpected(std::move(shown.error()));
  Identity identity{base::random_player_id(), std::move(*shown)};
  store::PlayerRow row{identity.player, identity.display_name, base::unix_ms()};
  auto stored = co_await store_.add_player(std::move(row));
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  Tokens::Issued proof = tokens_.issue(identity, device_secret);
  co_return SignedIn{std::move(identity), std::move(proof)};
}

awaitable<Expected<SignedIn>> Players::renew(std::string token, std::string device_secret) {
  auto identity = tokens_.verify_device(token, device_secret);
  if (!identity) co_return std::unexpected(std::move(identity.error()));
  const auto known = co_await store_.player(identity->player);
  if (!known && known.error().code == ErrorCode::kNotFound) co_return unknown_player();
  if (!known) co_return std::unexpected(known.error());
  // A store that cannot write does not keep anybody from playing on.
  const std::int64_t now_ms = base::unix_ms();
  static_cast<void>(
      co_await store_.see_player(identity->player, now_ms, now_ms - sign_of_life_age_.count()));
  Tokens::Issued proof = tokens_.issue(*identity, device_secret);
  co_return SignedIn{std::move(*identity), std::move(proof)};
}

awaitable<Expected<Identity>> Players::admit(std::string token, quota::QuotaPtr from) {
  auto identity = tokens_.verify(token);
  if (!identity || !identity->of_issuer) co_return identity;
  auto known = co_await store_.player(identity->player);
  if (!known && known.error().code == ErrorCode::kNotFound) {
    if (from && !from->take(quota::Act::kSignIn)) co_return quota::too_often(quota::Act::kSignIn);
    store::PlayerRow row{.id = identity->player,
                         .display_name = identity->display_name,
                         .created_ms = base::unix_ms(),
                         .kind = store::PlayerKind::kOfIssuer,
                         .identity = identity->account_hash};
    const auto added = co_await store_.add_player(std::move(row));
    // Another call may have stored the player meanwhile.
    known = co_await store_.player(identity->player);
    if (!known && !added) co_return std::unexpected(added.error());
  }
  if (!known) co_return std::unexpected(std::move(known.error()));
  if (known->erased_ms) co_return unknown_player();
  if (!is_account_of(*known, *identity)) {
    co_return refuse(ErrorCode::kUnauthenticated,
                     "This account's id is somebody else's here: ask the operator for another.");
  }
  identity->display_name = std::move(known->display_name);
  co_return identity;
}

}  // namespace tesela::accounts
