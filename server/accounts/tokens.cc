#include "server/accounts/tokens.h"

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "server/base/crypto.h"
#include "server/base/text_encoding.h"

namespace tesela::accounts {
namespace {

using nlohmann::json;
using std::chrono::duration_cast;
using std::chrono::seconds;

// {"alg":"HS256","typ":"JWT"}, encoded, and the dot after it.
constexpr std::string_view kHeader = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.";
constexpr std::string_view kIssuer = "tesela";

std::int64_t unix_seconds(Tokens::Time time) {
  return duration_cast<seconds>(time.time_since_epoch()).count();
}

std::unexpected<Error> refuse_token(std::string sentence) {
  return refuse(ErrorCode::kUnauthenticated, std::move(sentence));
}

std::string encoded(const base::Sha256& hash) {
  return base::encode_base64url({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

}  // namespace

struct Tokens::Claims {
  Identity identity;
  std::int64_t expires{};
  std::string device{};  // the encoded hash of the device secret; empty without one

  /// Decodes the claims of `issue`.
  static std::optional<Claims> decode(std::string_view encoded) {
    const auto text = base::decode_base64(encoded);
    if (!text) return std::nullopt;
    const json claims = json::parse(*text, nullptr, false);
    if (!claims.is_object() || claims.value("iss", json{}) != kIssuer) return std::nullopt;
    const json sub = claims.value("sub", json{});
    const json name = claims.value("name", json{});
    const json exp = claims.value("exp", json{});
    const json dev = claims.value("dev", json(""));
    if (!sub.is_string() || !name.is_string() || !exp.is_number_integer() || !dev.is_string()) {
      return std::nullopt;
    }
    const auto player = base::parse_id<PlayerId>(sub.get_ref<const std::string&>());
    if (!player) return std::nullopt;
    const json sid = claims.value("sid", json{});
    const auto session = sid.is_string()
                             ? base::parse_id<SessionId>(sid.get_ref<const std::string&>())
                             : std::optional(SessionId{});
    if (!session || (!sid.is_string() && !sid.is_null())) return std::nullopt;
    return Claims{.identity = {.player = *player,
                               .display_name = name.get<std::string>(),
                               .session = *session},
                  .expires = exp.get<std::int64_t>(),
                  .device = dev.get<std::string>()};
  }
};

Tokens::Tokens(std::string secret, seconds time_to_live, std::optional<Issuer> issuer,
               std::optional<std::string> former)
    : secret_(std::move(secret)),
      former_(std::move(former)),
      time_to_live_(time_to_live),
      issuer_(std::move(issuer)) {}

std::string Tokens::derived_key(std::string_view purpose) const {
  const auto key = base::hmac_sha256(secret_, purpose);
  return {key.begin(), key.end()};
}

bool Tokens::is_signed(std::string_view signed_part, std::string_view mac) const {
  const auto by = [&](const std::string& secret) {
    return base::same_secret(mac, encoded(base::hmac_sha256(secret, signed_part)));
  };
  return by(secret_) || (former_ && by(*former_));
}

Tokens::Issued Tokens::issue(const Identity& identity, std::string_view device_secret,
                             Time now) const {
  const std::int64_t issued = unix_seconds(now);
  const std::int64_t expires = issued + time_to_live_.count();
  json claims{{"iss", kIssuer},
              {"sub", base::to_text(identity.player)},
              {"name", identity.display_name},
              {"iat", issued},
              {"exp", expires}};
  if (identity.session != SessionId{}) claims["sid"] = base::to_text(identity.session);
  if (!device_secret.empty()) claims["dev"] = encoded(base::sha256(device_secret));
  std::string token{kHeader};
  token += base::encode_base64url(claims.dump());
  const std::string mac = encoded(base::hmac_sha256(secret_, token));
  token += '.';
  token += mac;
  return {std::move(token), Time{seconds{expires}}};
}

Expected<Tokens::Claims> Tokens::read(std::string_view token, Time now) const {
  if (token.empty()) return refuse_token("This needs a token; sign in first.");
  const std::size_t dot = token.rfind('.');
  const std::string_view signed_part = token.substr(0, dot);
  const std::string_view mac =
      dot == std::string_view::npos ? std::string_view{} : token.substr(dot + 1);
  if (!is_signed(signed_part, mac) || !signed_part.starts_with(kHeader)) {
    return refuse_token("The token is not one of this server's; sign in again.");
  }
  auto claims = Claims::decode(signed_part.substr(kHeader.size()));
  if (!claims) return refuse_token("The token is not one of this server's; sign in again.");
  if (claims->expires <= unix_seconds(now)) {
    return refuse_token("The token has expired; sign in again.");
  }
  return std::move(*claims);
}

bool Tokens::is_foreign(std::string_view token) const {
  return issuer_ && !token.empty() && !token.starts_with(kHeader);
}

Expected<Identity> Tokens::verify(std::string_view token, Time now) const {
  if (is_foreign(token)) return admitted(issuer_->verify(token, now));
  auto claims = read(token, now);
  if (!claims) return std::unexpected(std::move(claims.error()));
  return admitted(std::move(claims->identity));
}

void Tokens::revoke(PlayerId player) {
  const std::scoped_lock lock(mutex_);
  revoked_.insert(player);
}

Expected<Identity> Tokens::admitted(Expected<Identity> identity) const {
  if (!identity) return identity;
  {
    const std::shared_lock lock(mutex_);
    if (revoked_.contains(identity->player)) return unknown_player();
  }
  if (auto lives = sessions_.admit(identity->session); !lives) {
    return std::unexpected(std::move(lives.error()));
  }
  if (auto name = acts_.name_of(identity->player)) identity->display_name = *std::move(name);
  return identity;
}

Expected<Identity> Tokens::verify_signed(std::string_view token, Time now) const {
  auto claims = read(token, now);
  if (!claims) return std::unexpected(std::move(claims.error()));
  return std::move(claims->identity);
}

Expected<Identity> Tokens::verify_device(std::string_view token, std::string_view device_secret,
                                         Time now) const {
  const auto denied = [](std::string sentence) {
    return refuse(ErrorCode::kPermissionDenied, std::move(sentence));
  };
  if (is_foreign(token)) {
    if (auto known = issuer_->verify(token, now); !known) return known;
    return denied("The token is not this server's: only its issuer can renew it.");
  }
  auto claims = read(token, now);
  if (!claims) return std::unexpected(std::move(claims.error()));
  if (claims->device.empty()) {
    return denied("The player has signed in without a device_secret: this cannot be renewed.");
  }
  if (!base::same_secret(encoded(base::sha256(device_secret)), claims->device)) {
    return denied("The device_secret is not the one that the player has signed in with.");
  }
  return admitted(std::move(claims->identity));
}

std::unexpected<Error> unknown_player() {
  return refuse(ErrorCode::kUnauthenticated, "The player is not known here; sign in again.");
}

}  // namespace tesela::accounts
