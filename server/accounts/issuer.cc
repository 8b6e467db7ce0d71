#include "server/accounts/issuer.h"

#include <openssl/pem.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/accounts/jwt.h"
#include "server/codec/shown_text.h"
#include "server/store/bot_account.h"

namespace tesela::accounts {
namespace {

using nlohmann::json;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::unexpected<Error> refuse_issued(std::string sentence) {
  return refuse(ErrorCode::kUnauthenticated, std::move(sentence));
}

std::unexpected<Error> not_ours() {
  return refuse_issued("The token is not one of this server's or its issuer's; sign in again.");
}

/// RFC 7519, section 4.1.3: a token with an audience is refused unless it is the configured one.
bool is_for(const Jwt& token, const std::string& audience) {
  return audience.empty() ? !token.claims.contains("aud") : token.is_for(audience);
}

Expected<void> check_times(const Jwt& token, Issuer::Time now) {
  switch (token.times_at(now)) {
    case Jwt::Times::kWithoutEnd:
      return refuse_issued("The token does not expire: its issuer must set an 'exp'.");
    case Jwt::Times::kExpired:
      return refuse_issued("The token has expired; sign in again.");
    case Jwt::Times::kNotYet:
      return refuse_issued("The token is not valid yet.");
    case Jwt::Times::kValid:
      break;
  }
  return {};
}

}  // namespace

Issuer::Issuer(Terms terms, PublicKey key) : terms_(std::move(terms)), key_(std::move(key)) {}

Expected<Issuer> Issuer::open(Terms terms) {
  const std::string& path = terms.key_file.native();
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "re"));
  if (!file) {
    return refuse(ErrorCode::kNotFound, "The issuer's key cannot be read from " + path + ".");
  }
  PublicKey key{PEM_read_PUBKEY(file.get(), nullptr, nullptr, nullptr)};
  if (!key || algorithm_of(key.get()).empty()) {
    return refuse(ErrorCode::kInvalidArgument,
                  "The issuer's key in " + path +
                      " is none: it must be a public key in PEM, of RSA with at least " +
                      std::to_string(kRsaBitsMin) + " bits, of P-256 or of Ed25519.");
  }
  return Issuer(std::move(terms), std::move(key));
}

Expected<Identity> Issuer::verify(std::string_view token, Time now) const {
  const auto read = Jwt::read(token);
  if (!read || !read->is_signed_by(key_.get()) || text_in(read->claims, "iss") != terms_.name) {
    return not_ours();
  }
  if (!is_for(*read, terms_.audience)) {
    return refuse_issued("The token is meant for others: its 'aud' does not name this server.");
  }
  if (auto valid = check_times(*read, now); !valid) return std::unexpected(valid.error());
  const std::string subject = text_in(read->claims, "sub");
  if (subject.empty()) return refuse_issued("The token has no subject: it needs a 'sub'.");
  auto name = codec::shown_name(text_in(read->claims, "name"));
  if (!name) return refuse_issued("The token's 'name' cannot be shown. " + name.error().message);
  // The name of the issuer has no NUL, so different pairs hash different bytes.
  auto account = store::hashed_account("tesela.issuer.v1", terms_.name, subject);
  return Identity{.player = account.id,
                  .display_name = std::move(*name),
                  .of_issuer = true,
                  .account_hash = std::move(account.identity)};
}

}  // namespace tesela::accounts
