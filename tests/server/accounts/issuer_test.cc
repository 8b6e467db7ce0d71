// Tokens of an operator's own issuer, signed here with keys that are made here.
#include "server/accounts/issuer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "server/accounts/tokens.h"
#include "server/base/text_encoding.h"
#include "tests/server/accounts/issuer_keys.h"

namespace tesela::services {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::HasSubstr;

class IssuerTest : public testing::Test {
 protected:
  IssuerTest() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    file_ = std::filesystem::path{testing::TempDir()} / (std::string{test->name()} + ".pem");
  }
  ~IssuerTest() override { std::filesystem::remove(file_); }

  Expected<accounts::Issuer> open(const KeyPair& keys, const std::string& audience = {}) {
    keys.write_public(file_);
    return accounts::Issuer::open(
        {.key_file = file_, .name = "https://id.example", .audience = audience});
  }

  /// The claims of a token that is accepted.
  [[nodiscard]] json claims() const {
    return {{"iss", "https://id.example"}, {"sub", "7"}, {"name", "Ana"}, {"exp", unix_s_ + 60}};
  }
  [[nodiscard]] json with(const char* claim, const json& value) const {
    json changed = claims();
    changed[claim] = value;
    return changed;
  }
  [[nodiscard]] json without(const char* claim) const {
    json changed = claims();
    changed.erase(claim);
    return changed;
  }
  std::string refusal(const accounts::Issuer& issuer, const std::string& token) {
    const auto refused = issuer.verify(token, now_);
    EXPECT_FALSE(refused) << token;
    if (refused) return {};
    EXPECT_EQ(refused.error().code, ErrorCode::kUnauthenticated);
    return refused.error().message;
  }

  std::filesystem::path file_;
  const KeyPair rsa_ = KeyPair::rsa();
  const KeyPair ed25519_ = KeyPair::ed25519();
  const std::int64_t unix_s_ = 1'800'000'000;
  const accounts::Issuer::Time now_{std::chrono::seconds{unix_s_}};
};

TEST_F(IssuerTest, AllKindsOfKeysSign) {
  const auto by_rsa = open(rsa_).value().verify(token(rsa_, "RS256", claims()), now_);
  ASSERT_TRUE(by_rsa) << by_rsa.error().message;
  EXPECT_EQ(by_rsa->display_name, "Ana");
  EXPECT_TRUE(by_rsa->of_issuer);
  const auto by_ed25519 = open(ed25519_).value().verify(token(ed25519_, "EdDSA", claims()), now_);
  EXPECT_EQ(by_ed25519, by_rsa);
  const KeyPair p256 = KeyPair::p256();
  EXPECT_EQ(open(p256).value().verify(token(p256, "ES256", claims()), now_), by_rsa);
}

TEST_F(IssuerTest, APlayerIsTheSubjectOfTheIssuer) {
  const auto issuer = open(ed25519_).value();
  const auto player = [&](const json& claims) {
    return issuer.verify(token(ed25519_, "EdDSA", claims), now_).value().player;
  };
  EXPECT_EQ(player(claims()), player(with("name", "Bea")));
  EXPECT_NE(player(claims()), player(with("sub", "8")));
  // Written down: a player must not become another one with a later version of the server.
  EXPECT_EQ(player(claims()).value, 1729629613348327609U);
}

TEST_F(IssuerTest, AnotherKeyIsRefused) {
  const auto issuer = open(rsa_).value();
  EXPECT_THAT(refusal(issuer, token(KeyPair::rsa(), "RS256", claims())), HasSubstr("sign in"));
  EXPECT_THAT(refusal(issuer, token(ed25519_, "EdDSA", claims())), HasSubstr("sign in"));
}

TEST_F(IssuerTest, TheKeyAndNotTheTokenChoosesTheAlgorithm) {
  const auto issuer = open(rsa_).value();
  for (const char* algorithm : {"none", "HS256", "RS512", "PS256", "EdDSA", ""}) {
    EXPECT_THAT(refusal(issuer, token(rsa_, algorithm, claims())), HasSubstr("not one of"));
  }
  const std::string unsigned_part = part({{"alg", "none"}}) + "." + part(claims());
  for (const char* end : {"", ".", ".AA"}) refusal(issuer, unsigned_part + end);
}

TEST_F(IssuerTest, ThePublicKeyIsNoSecret) {
  const auto issuer = open(rsa_).value();
  std::ifstream file(file_);
  const std::string pem{std::istreambuf_iterator<char>{file}, {}};
  const accounts::Tokens forger{pem, 1h};
  refusal(issuer, forger.issue({PlayerId{7}, "Ana"}).token);
}

TEST_F(IssuerTest, AnyChangedCharacterIsRefused) {
  const auto issuer = open(ed25519_).value();
  const std::string good = token(ed25519_, "EdDSA", claims());
  EXPECT_TRUE(issuer.verify(good, now_));
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = bad[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(issuer.verify(bad, now_)) << i;
    EXPECT_FALSE(issuer.verify(good.substr(0, i), now_)) << i;
  }
}

TEST_F(IssuerTest, ClaimsThatAreNotTheseAreRefused) {
  const auto issuer = open(ed25519_).value();
  const auto why = [&](const json& claims) {
    return refusal(issuer, token(ed25519_, "EdDSA", claims));
  };
  EXPECT_THAT(why(with("iss", "https://other.example")), HasSubstr("not one of"));
  EXPECT_THAT(why(without("iss")), HasSubstr("not one of"));
  EXPECT_THAT(why(without("sub")), HasSubstr("'sub'"));
  EXPECT_THAT(why(with("sub", 7)), HasSubstr("'sub'"));
  EXPECT_THAT(why(without("name")), HasSubstr("'name' cannot be shown"));
  EXPECT_THAT(why(with("name", "A\nB")), HasSubstr("'name' cannot be shown"));
  EXPECT_THAT(why(without("exp")), HasSubstr("'exp'"));
  EXPECT_THAT(why(with("exp", "soon")), HasSubstr("'exp'"));
  EXPECT_THAT(why(with("aud", "others")), HasSubstr("'aud'"));
  EXPECT_THAT(why(json::array()), HasSubstr("not one of"));
}

TEST_F(IssuerTest, ExtensionsThatMustBeUnderstoodAreRefused) {
  const auto issuer = open(ed25519_).value();
  const std::string signed_part =
      part({{"alg", "EdDSA"}, {"crit", {"b64"}}, {"b64", false}}) + "." + part(claims());
  refusal(issuer, signed_part + "." + base::encode_base64url(ed25519_.sign(signed_part)));
}

TEST_F(IssuerTest, ClocksMayBeAMinuteApart) {
  const auto issuer = open(ed25519_).value();
  const auto accepted = [&](const json& claims) {
    return issuer.verify(token(ed25519_, "EdDSA", claims), now_).has_value();
  };
  EXPECT_TRUE(accepted(with("exp", unix_s_ - 59)));
  EXPECT_TRUE(accepted(with("exp", static_cast<double>(unix_s_) - 58.5)));
  EXPECT_FALSE(accepted(with("exp", unix_s_ - 60)));
  EXPECT_TRUE(accepted(with("exp", 1e300)));
  EXPECT_TRUE(accepted(with("nbf", unix_s_ + 60)));
  EXPECT_FALSE(accepted(with("nbf", unix_s_ + 61)));
  EXPECT_FALSE(accepted(with("nbf", "now")));
  EXPECT_THAT(refusal(issuer, token(ed25519_, "EdDSA", with("exp", unix_s_ - 60))),
              HasSubstr("expired"));
}

TEST_F(IssuerTest, TokensForOthersAreRefused) {
  const auto issuer = open(ed25519_, "tesela").value();
  const auto accepted = [&](const json& claims) {
    return issuer.verify(token(ed25519_, "EdDSA", claims), now_).has_value();
  };
  EXPECT_TRUE(accepted(with("aud", "tesela")));
  EXPECT_TRUE(accepted(with("aud", {"chess", "tesela"})));
  EXPECT_FALSE(accepted(with("aud", "chess")));
  EXPECT_FALSE(accepted(with("aud", json::array())));
  EXPECT_FALSE(accepted(claims()));
}

TEST_F(IssuerTest, WhatIsNoSuchKeyIsRefused) {
  const auto refused = [](const Expected<accounts::Issuer>& issuer) {
    EXPECT_FALSE(issuer);
    return issuer ? std::string{} : issuer.error().message;
  };
  EXPECT_THAT(refused(open(KeyPair::rsa(1024))), HasSubstr("at least 2048 bits, of P-256 or"));
  std::ofstream{file_} << "ssh-ed25519 AAAA";
  EXPECT_THAT(refused(accounts::Issuer::open({.key_file = file_, .name = "i", .audience = {}})),
              HasSubstr("must be a public key in PEM"));
  std::filesystem::remove(file_);
  EXPECT_THAT(refused(accounts::Issuer::open({.key_file = file_, .name = "i", .audience = {}})),
              HasSubstr("cannot be read"));
}

TEST_F(IssuerTest, TheServersOwnTokensAreStillAccepted) {
  const accounts::Tokens tokens{std::string(32, 's'), 1h, open(ed25519_).value()};
  const accounts::Identity ana{PlayerId{7}, "Ana"};
  EXPECT_EQ(tokens.verify(tokens.issue(ana).token), ana);
  const std::string foreign = token(ed25519_, "EdDSA", claims());
  EXPECT_TRUE(tokens.verify(foreign, now_));
  EXPECT_FALSE(tokens.verify("nonsense", now_));
  EXPECT_THAT(tokens.verify("", now_).error().message, HasSubstr("sign in first"));
  const auto renewed = tokens.verify_device(foreign, "a secret of a device", now_);
  ASSERT_FALSE(renewed);
  EXPECT_EQ(renewed.error().code, ErrorCode::kPermissionDenied);
}

}  // namespace
}  // namespace tesela::services
