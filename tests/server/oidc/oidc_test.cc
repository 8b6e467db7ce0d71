// Addresses and keys of a provider, and its ID tokens: each algorithm and each forgery.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>

#include "server/accounts/jwt.h"
#include "server/base/crypto.h"
#include "server/base/text_encoding.h"
#include "server/base/urls/url_query.h"
#include "server/fetch/url.h"
#include "server/oidc/id_token.h"
#include "server/oidc/jwks.h"
#include "tests/server/accounts/issuer_keys.h"

namespace tesela::oidc {
namespace {

using accounts::Jwt;
using fetch::Url;
using nlohmann::json;
using services::KeyPair;
using testing::HasSubstr;

class IdTokenTest : public testing::Test {
 protected:
  static Jwks set_of(std::initializer_list<json> keys) {
    return Jwks::read(json{{"keys", keys}}.dump()).value();
  }
  static Jwt read(const std::string& token) { return Jwt::read(token).value(); }
  [[nodiscard]] Jwt token(const KeyPair& keys, const json& header) const {
    return read(services::token(keys, header, claims_));
  }
  /// What is wrong with a token of changed claims; empty: nothing.
  [[nodiscard]] std::string refusal(const json& changed) const {
    json claims = claims_;
    claims.merge_patch(changed);  // null: without it
    const auto subject =
        subject_of(read(services::token(ed25519_, json{{"alg", "EdDSA"}}, claims)), terms_, now_);
    if (subject) return "";
    EXPECT_EQ(subject.error().code, ErrorCode::kPermissionDenied);
    return subject.error().message;
  }

  const KeyPair rsa_ = KeyPair::rsa();
  const KeyPair p256_ = KeyPair::p256();
  const KeyPair ed25519_ = KeyPair::ed25519();
  const std::int64_t unix_s_ = 1'800'000'000;
  const Jwt::Time now_{std::chrono::seconds{unix_s_}};
  const Terms terms_{.issuer = "https://id.example", .client_id = "tesela", .nonce = "n-1"};
  const json claims_{
      {"iss", "https://id.example"}, {"aud", "tesela"}, {"sub", "7"}, {"nonce", "n-1"},
      {"exp", unix_s_ + 3600},       {"iat", unix_s_}};
};

TEST_F(IdTokenTest, EachAlgorithmSigns) {
  const Jwks keys = set_of({rsa_.jwk("r"), p256_.jwk("p"), ed25519_.jwk("e")});
  for (const auto& [pair, algorithm, id] :
       {std::tuple{&rsa_, "RS256", "r"}, {&p256_, "ES256", "p"}, {&ed25519_, "EdDSA", "e"}}) {
    EXPECT_TRUE(keys.have_signed(token(*pair, {{"alg", algorithm}, {"kid", id}})));
    EXPECT_TRUE(keys.have_signed(token(*pair, {{"alg", algorithm}})));
    for (const char* other : {"none", "HS256", "RS512", "ES384", "PS256", ""}) {
      EXPECT_FALSE(keys.have_signed(token(*pair, {{"alg", other}, {"kid", id}})));
    }
  }
  EXPECT_EQ(subject_of(token(rsa_, {{"alg", "RS256"}}), terms_, now_), "7");
}

TEST_F(IdTokenTest, AnotherKeyAnotherKidAndExtensionsAreRefused) {
  const Jwks keys = set_of({rsa_.jwk("a"), KeyPair::rsa().jwk("b")});
  EXPECT_TRUE(keys.have_signed(token(rsa_, {{"alg", "RS256"}, {"kid", "a"}})));
  EXPECT_FALSE(keys.have_signed(token(rsa_, {{"alg", "RS256"}, {"kid", "b"}})));
  EXPECT_FALSE(keys.have_signed(token(rsa_, {{"alg", "RS256"}, {"kid", "c"}})));
  EXPECT_FALSE(keys.have_signed(token(KeyPair::rsa(), {{"alg", "RS256"}, {"kid", "a"}})));
  EXPECT_FALSE(keys.have_signed(token(KeyPair::rsa(), {{"alg", "RS256"}})));
  EXPECT_FALSE(keys.have_signed(token(rsa_, {{"alg", "RS256"}, {"kid", "a"}, {"crit", {"b64"}}})));
}

TEST_F(IdTokenTest, ThePublicKeyIsNoSecretAndNothingSignsNothing) {
  const Jwks keys = set_of({rsa_.jwk("r")});
  for (const std::string& secret :
       {rsa_.jwk("r").dump(), base::decode_base64(rsa_.jwk("r")["n"].get<std::string>()).value()}) {
    const std::string signed_part =
        services::part({{"alg", "HS256"}, {"kid", "r"}}) + "." + services::part(claims_);
    const auto mac = base::hmac_sha256(secret, signed_part);
    const std::string bytes(mac.begin(), mac.end());
    EXPECT_FALSE(keys.have_signed(read(signed_part + "." + base::encode_base64url(bytes))));
  }
  const std::string nothing = services::part({{"alg", "none"}}) + "." + services::part(claims_);
  EXPECT_FALSE(keys.have_signed(read(nothing + ".")));
  EXPECT_FALSE(Jwt::read(nothing));
}

TEST_F(IdTokenTest, AChangedTokenIsRefused) {
  for (const auto& [pair, algorithm] :
       {std::pair{&rsa_, "RS256"}, {&p256_, "ES256"}, {&ed25519_, "EdDSA"}}) {
    const Jwks keys = set_of({pair->jwk("k")});
    const std::string good = services::token(*pair, json{{"alg", algorithm}}, claims_);
    for (std::size_t i = 0; i < good.size(); ++i) {
      std::string bad = good;
      bad[i] = bad[i] == 'A' ? 'B' : 'A';
      const auto changed = Jwt::read(bad);
      EXPECT_FALSE(changed && keys.have_signed(*changed)) << algorithm << i;
    }
  }
}

TEST_F(IdTokenTest, KeysThatAreNotForThisAreLeftOut) {
  const auto with = [](json key, const char* name, const json& value) {
    key[name] = value;
    return key;
  };
  const Jwt good = token(rsa_, {{"alg", "RS256"}, {"kid", "r"}});
  const json key = rsa_.jwk("r");
  EXPECT_TRUE(set_of({with(key, "alg", "RS256"), 7, json::object()}).have_signed(good));
  for (const json& other :
       {with(key, "use", "enc"), with(key, "alg", "RS512"), with(key, "kty", "oct"),
        with(key, "n", "!"), with(key, "e", ""), with(key, "n", std::string(9000, 'A')),
        KeyPair::rsa(1024).jwk("r"), with(p256_.jwk("r"), "y", p256_.jwk("r")["x"]),
        with(p256_.jwk("r"), "crv", "P-384"), with(ed25519_.jwk("r"), "x", "AAAA")}) {
    EXPECT_FALSE(set_of({other}).have_signed(good)) << other;
  }
  for (const char* text : {"", "[]", "{}", R"({"keys":{}})", "<html>"}) {
    EXPECT_FALSE(Jwks::read(text)) << text;
  }
}

TEST_F(IdTokenTest, ItSaysForWhomWhereWhenAndToWhatItIsAnAnswer) {
  EXPECT_EQ(refusal(json::object()), "");
  EXPECT_THAT(refusal({{"iss", "https://id.example/"}}), HasSubstr("another provider"));
  EXPECT_THAT(refusal({{"iss", nullptr}}), HasSubstr("another provider"));
  EXPECT_THAT(refusal({{"aud", "chess"}}), HasSubstr("for others"));
  EXPECT_THAT(refusal({{"aud", nullptr}}), HasSubstr("for others"));
  EXPECT_THAT(refusal({{"aud", {"chess", "tesela"}}}), HasSubstr("for others"));
  EXPECT_EQ(refusal({{"aud", {"chess", "tesela"}}, {"azp", "tesela"}}), "");
  EXPECT_THAT(refusal({{"azp", "chess"}}), HasSubstr("for others"));
  EXPECT_THAT(refusal({{"nonce", "n-2"}}), HasSubstr("another sign-in"));
  EXPECT_THAT(refusal({{"nonce", nullptr}}), HasSubstr("another sign-in"));
  EXPECT_EQ(refusal({{"exp", unix_s_ - 59}}), "");
  EXPECT_THAT(refusal({{"exp", unix_s_ - 60}}), HasSubstr("too old"));
  EXPECT_THAT(refusal({{"exp", nullptr}}), HasSubstr("too old"));
  EXPECT_THAT(refusal({{"nbf", unix_s_ + 61}}), HasSubstr("too old"));
  EXPECT_THAT(refusal({{"iat", nullptr}}), HasSubstr("too old"));
  EXPECT_THAT(refusal({{"iat", unix_s_ + 61}}), HasSubstr("too old"));
  EXPECT_THAT(refusal({{"iat", unix_s_ - 601}}), HasSubstr("too old"));
  EXPECT_THAT(refusal({{"sub", ""}}), HasSubstr("whose"));
  EXPECT_THAT(refusal({{"sub", 7}}), HasSubstr("whose"));
  EXPECT_THAT(refusal({{"sub", std::string(256, '7')}}), HasSubstr("whose"));
}

TEST(OidcUrl, IsOfHttpsOrOfThisMachine) {
  const auto url = Url::parse("https://ID.example:8443/a/b?c=d");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "id.example");
  EXPECT_EQ(url->target, "/a/b?c=d");
  EXPECT_EQ(url->authority(), "id.example:8443");
  EXPECT_EQ(Url::parse("https://id.example")->authority(), "id.example");
  EXPECT_EQ(Url::parse("https://id.example?a=b")->target, "/?a=b");
  EXPECT_EQ(Url::parse("http://[::1]:80/")->authority(), "[::1]");
  EXPECT_TRUE(Url::parse("http://localhost:8080"));
  for (const char* text :
       {"", "https://", "http://id.example", "ftp://id.example", "javascript:alert(1)",
        "https://user@id.example", "https://id.example#a", "https://id.example:0",
        "https://id.example:70000", "https://id.example:", "https://id.example/a b",
        "https://id.example/a\r\nb", "https://[::1", "https://[::1]8", "https://a\\b",
        "http://localhost.example", "https://id_x.example", "//id.example"}) {
    EXPECT_FALSE(Url::parse(text)) << text;
  }
  EXPECT_EQ(base::percent_encoded("a-Z_0.~ &=+%/\n"), "a-Z_0.~%20%26%3D%2B%25%2F%0A");
}

}  // namespace
}  // namespace tesela::oidc
