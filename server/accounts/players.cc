#include "server/accounts/players.h"

#include <utility>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/base/limits.h"
#include "server/base/log/seldom_log.h"
#include "server/base/scale_limits.h"
#include "server/base/text_encoding.h"
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

store::SessionRow session_of(const Identity& identity, std::int64_t now_ms, std::string device) {
  return {.id = identity.session,
          .player = identity.player,
          .created_ms = now_ms,
          .seen_ms = now_ms,
          .device = std::move(device)};
}

/// Whether the row is this player of the issuer, and not another account with the same id. Rows of
/// before the first release may have only the id to tell.
bool is_account_of(const store::PlayerRow& row, const Identity& identity) {
  if (row.kind == store::PlayerKind::kPerson) return true;
  return row.kind == store::PlayerKind::kOfIssuer && row.identity == identity.account_hash;
}

void note_sign_in(metrics::Metrics& metrics, std::string_view kind, PlayerId player,
                  const std::optional<boost::asio::ip::address>& from) {
  metrics.sign_ins(kind).Increment();
  static auto lines = base::SeldomLog::of_strangers();
  lines.log(spdlog::level::info, "player signed in",
            {{"player", base::to_text(player)},
             {"kind", kind},
             {"address", from ? from->to_string() : std::string{}}});
}

}  // namespace

Expected<void> Players::check(Device& device) {
  if (auto fit = check_device_secret(device.secret); !fit) return fit;
  if (device.name.empty()) return {};
  auto shown = codec::shown_text(device.name, limits::kDeviceNameMax, "name of a device");
  if (!shown) return std::unexpected(std::move(shown.error()));
  device.name = std::move(*shown);
  return {};
}

awaitable<Expected<SignedIn>> Players::sign_in(std::string name, Device device, std::string proof) {
  if (auto may = may_sign_in(); !may) co_return std::unexpected(may.error());
  if (auto fit = check(device); !fit) co_return std::unexpected(std::move(fit.error()));
  auto shown = codec::shown_name(name);
  if (!shown) co_return std::unexpected(std::move(shown.error()));
  Identity identity{.player = base::random_id<PlayerId>(),
                    .display_name = std::move(*shown),
                    .session = base::random_id<SessionId>()};
  const std::int64_t now_ms = base::unix_ms();
  store::PlayerRow row{identity.player, identity.display_name, now_ms};
  store::SessionRow first = session_of(identity, now_ms, std::move(device.name));
  first.proof = std::move(proof);
  auto stored = co_await accounts_.add_guest(std::move(row), std::move(first));
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  note_sign_in(metrics_, "guest", identity.player, device.from);
  Tokens::Issued issued = tokens_.issue(identity, device.secret);
  co_return SignedIn{std::move(identity), std::move(issued)};
}

awaitable<Expected<SignedIn>> Players::come_back(PlayerId player, Device device,
                                                 store::CredentialUse use, std::string proof) {
  if (auto fit = check(device); !fit) co_return std::unexpected(std::move(fit.error()));
  const auto known = co_await store_.player(player);
  if (!known) co_return std::unexpected(known.error());
  Identity identity{.player = player,
                    .display_name = known->display_name,
                    .session = base::random_id<SessionId>()};
  store::SessionRow row = session_of(identity, base::unix_ms(), std::move(device.name));
  row.proof = std::move(proof);
  const auto added = co_await add_session(std::move(row), std::move(use));
  if (!added) co_return std::unexpected(added.error());
  note_sign_in(metrics_, "member", player, device.from);
  Tokens::Issued issued = tokens_.issue(identity, device.secret);
  co_return SignedIn{std::move(identity), std::move(issued)};
}

awaitable<Expected<SessionId>> Players::add_session(store::SessionRow row,
                                                    std::optional<store::CredentialUse> use) {
  const SessionId id = row.id;
  const auto ended =
      co_await accounts_.add_session(std::move(row), std::move(use), dead_before_ms());
  if (!ended) co_return std::unexpected(ended.error());
  for (const SessionId session : *ended) tokens_.sessions().end(session);
  co_return id;
}

/// The player has shown up. A token without a session gets one.
awaitable<Expected<void>> Players::see(Identity& identity) {
  const std::int64_t now_ms = base::unix_ms();
  if (identity.session == SessionId{}) {
    identity.session = base::random_id<SessionId>();
    auto added = co_await add_session(session_of(identity, now_ms, {}), std::nullopt);
    if (added) co_return Expected<void>{};
    if (added.error().code != ErrorCode::kUnavailable) co_return std::unexpected(added.error());
    identity.session = {};  // the next renewal makes one
    co_return Expected<void>{};
  }
  const auto known = co_await accounts_.session(identity.session);
  if (!known) co_return std::unexpected(known.error());
  if (known->ended_ms) co_return session_ended();
  if (known->seen_ms > now_ms - sign_of_life_age_.count()) co_return Expected<void>{};
  // A store that cannot write does not keep anybody from playing on.
  static_cast<void>(co_await accounts_.see_session(identity.session, identity.player, now_ms));
  co_return Expected<void>{};
}

awaitable<Expected<std::size_t>> Players::end_sessions(PlayerId player,
                                                       std::optional<SessionId> only,
                                                       std::optional<SessionId> but) {
  const auto ended = co_await accounts_.end_sessions(player, only, but);
  if (!ended) co_return std::unexpected(ended.error());
  for (const SessionId session : *ended) tokens_.sessions().end(session);
  co_return ended->size();
}

std::int64_t Players::dead_before_ms() const {
  using std::chrono::milliseconds;
  return base::unix_ms() - milliseconds{tokens_.time_to_live()}.count() - sign_of_life_age_.count();
}

awaitable<Expected<SignedIn>> Players::renew(std::string token, std::string device_secret) {
  auto identity = tokens_.verify_device(token, device_secret);
  if (!identity) co_return std::unexpected(std::move(identity.error()));
  auto seen = co_await see(*identity);
  if (!seen && seen.error().code == ErrorCode::kNotFound) co_return unknown_player();
  if (!seen) co_return std::unexpected(std::move(seen.error()));
  identity = co_await named(std::move(*identity));
  if (!identity) co_return std::unexpected(std::move(identity.error()));
  metrics_.sign_ins("renewed").Increment();
  Tokens::Issued proof = tokens_.issue(*identity, device_secret);
  co_return SignedIn{std::move(*identity), std::move(proof)};
}

awaitable<Expected<Identity>> Players::named(Identity identity) {
  auto known = co_await store_.player(identity.player);
  if (!known && known.error().code == ErrorCode::kNotFound) co_return unknown_player();
  if (!known) co_return std::unexpected(std::move(known.error()));
  identity.display_name = std::move(known->display_name);
  co_return identity;
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
    if (added) note_sign_in(metrics_, "issuer", identity->player, std::nullopt);
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

awaitable<Expected<Identity>> Players::admit_to_play(std::string token, quota::QuotaPtr from) {
  auto identity = co_await admit(std::move(token), std::move(from));
  if (!identity) co_return identity;
  if (auto may = tokens_.acts().may_play(identity->player); !may) {
    co_return std::unexpected(std::move(may.error()));
  }
  // The issuer's have it already.
  if (identity->of_issuer) co_return identity;
  co_return co_await named(std::move(*identity));
}

}  // namespace tesela::accounts
