#include "server/lobby/tokens.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "server/codec/id_text.h"
#include "server/net/base64.h"

namespace tesela::lobby {
namespace {

using nlohmann::json;
using std::chrono::duration_cast;
using std::chrono::seconds;

// {"alg":"HS256","typ":"JWT"} and the dot behind it.
constexpr std::string_view kHeader = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.";
constexpr std::string_view kIssuer = "tesela";

std::int64_t unix_seconds(Tokens::Time time) {
  return duration_cast<seconds>(time.time_since_epoch()).count();
}

std::unexpected<Error> refuse_token(std::string sentence) {
  return refuse(ErrorCode::kUnauthenticated, std::move(sentence));
}

struct Claims {
  Identity identity;
  std::int64_t expires{};
};

// Reads what `issue` wrote.
std::optional<Claims> read_claims(std::string_view encoded) {
  const auto text = net::decode_base64(encoded);
  if (!text) return std::nullopt;
  const json claims = json::parse(*text, nullptr, false);
  if (!claims.is_object() || claims.value("iss", json{}) != kIssuer) return std::nullopt;
  const json sub = claims.value("sub", json{});
  const json name = claims.value("name", json{});
  const json exp = claims.value("exp", json{});
  if (!sub.is_string() || !name.is_string() || !exp.is_number_integer()) return std::nullopt;
  const auto player = codec::parse_player_id(sub.get_ref<const std::string&>());
  if (!player) return std::nullopt;
  return Claims{{*player, name.get<std::string>()}, exp.get<std::int64_t>()};
}

}  // namespace

Tokens::Tokens(std::string secret, std::chrono::seconds time_to_live)
    : secret_(std::move(secret)), time_to_live_(time_to_live) {}

std::string Tokens::signature(std::string_view signed_part) const {
  std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
  unsigned size = 0;
  if (HMAC(EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()),
           reinterpret_cast<const unsigned char*>(signed_part.data()), signed_part.size(),
           mac.data(), &size) == nullptr) {
    throw std::runtime_error("OpenSSL computes no HMAC");
  }
  return net::encode_base64url({reinterpret_cast<const char*>(mac.data()), size});
}

Tokens::Issued Tokens::issue(const Identity& identity, Time now) const {
  const std::int64_t issued = unix_seconds(now);
  const std::int64_t expires = issued + time_to_live_.count();
  const json claims{{"iss", kIssuer},
                    {"sub", codec::to_text(identity.player)},
                    {"name", identity.display_name},
                    {"iat", issued},
                    {"exp", expires}};
  std::string token{kHeader};
  token += net::encode_base64url(claims.dump());
  const std::string mac = signature(token);
  token += '.';
  token += mac;
  return {std::move(token), Time{seconds{expires}}};
}

Expected<Identity> Tokens::verify(std::string_view token, Time now) const {
  if (token.empty()) return refuse_token("This needs a token; sign in first.");
  const std::size_t dot = token.rfind('.');
  const std::string_view signed_part = token.substr(0, dot);
  const std::string_view mac =
      dot == std::string_view::npos ? std::string_view{} : token.substr(dot + 1);
  const std::string expected = signature(signed_part);
  if (mac.size() != expected.size() ||
      CRYPTO_memcmp(mac.data(), expected.data(), expected.size()) != 0 ||
      !signed_part.starts_with(kHeader)) {
    return refuse_token("The token is not one of this server's; sign in again.");
  }
  auto claims = read_claims(signed_part.substr(kHeader.size()));
  if (!claims) return refuse_token("The token is not one of this server's; sign in again.");
  if (claims->expires <= unix_seconds(now)) {
    return refuse_token("The token has expired; sign in again.");
  }
  return std::move(claims->identity);
}

std::string_view bearer_token(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.size() <= kScheme.size()) return {};
  for (std::size_t i = 0; i < kScheme.size(); ++i) {
    const char c = authorization[i];
    if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != kScheme[i]) return {};
  }
  authorization.remove_prefix(kScheme.size());
  return authorization;
}

}  // namespace tesela::lobby
