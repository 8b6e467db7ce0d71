#include "server/accounts/tokens.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <chrono>
#include <jwt/jwt.hpp>
#include <string>
#include <vector>

#include "server/base/text_encoding.h"

namespace tesela::services {
namespace {

using namespace std::chrono_literals;
using std::chrono::system_clock;

const std::string kSecret(32, 's');
const accounts::Identity kAna{PlayerId{7}, "Ana \"ñ\""};

class TokensTest : public testing::Test {
 protected:
  void expect_refused(std::string_view token) {
    const auto refused = tokens_.verify(token);
    ASSERT_FALSE(refused) << token;
    EXPECT_EQ(refused.error().code, ErrorCode::kUnauthenticated);
    EXPECT_NE(refused.error().message.find("sign in"), std::string::npos);
  }

  const std::int64_t now_ = system_clock::to_time_t(system_clock::now());
  accounts::Tokens tokens_{kSecret, 1h};
};

TEST_F(TokensTest, WhatWasIssuedIsAccepted) {
  EXPECT_EQ(tokens_.verify(tokens_.issue(kAna).token), kAna);
}

TEST_F(TokensTest, TheTokensOfARevokedPlayerAreRefused) {
  const auto old = tokens_.issue(kAna, "a secret of a device").token;
  tokens_.revoke(kAna.player);
  expect_refused(old);
  expect_refused(tokens_.issue(kAna).token);
  EXPECT_FALSE(tokens_.verify_device(old, "a secret of a device"));
  const accounts::Identity bob{PlayerId{kAna.player.value + 1}, "Bob"};
  EXPECT_EQ(tokens_.verify(tokens_.issue(bob).token), bob);
}

TEST_F(TokensTest, TheTokensOfAnEndedSessionAreRefused) {
  accounts::Identity phone = kAna;
  phone.session = SessionId{5};
  accounts::Identity laptop = kAna;
  laptop.session = SessionId{6};
  const auto token = tokens_.issue(phone, "a secret of a device").token;
  EXPECT_EQ(tokens_.verify(token), phone);
  tokens_.sessions().end(phone.session);
  EXPECT_EQ(tokens_.verify(token).error().code, ErrorCode::kSessionEnded);
  EXPECT_EQ(tokens_.verify_device(token, "a secret of a device").error().code,
            ErrorCode::kSessionEnded);
  EXPECT_EQ(tokens_.verify(tokens_.issue(laptop).token), laptop);
  EXPECT_EQ(tokens_.verify(tokens_.issue(kAna).token), kAna);
}

TEST_F(TokensTest, AnotherImplementationReadsTheClaims) {
  const auto issued = tokens_.issue(kAna);
  const auto token = jwt::decode(issued.token, jwt::params::algorithms({"HS256"}),
                                 jwt::params::secret(kSecret), jwt::params::verify(true));
  EXPECT_EQ(token.payload().get_claim_value<std::string>("iss"), "tesela");
  EXPECT_EQ(token.payload().get_claim_value<std::string>("sub"), base::to_text(kAna.player));
  EXPECT_EQ(token.payload().get_claim_value<std::string>("name"), kAna.display_name);
  EXPECT_EQ(token.payload().get_claim_value<std::int64_t>("exp"),
            system_clock::to_time_t(issued.expires));
}

TEST_F(TokensTest, ATokenOfAnotherImplementationUnderTheSameSecretIsAccepted) {
  jwt::jwt_object token{jwt::params::algorithm("HS256"), jwt::params::secret(kSecret)};
  token.add_claim("iss", "tesela")
      .add_claim("sub", base::to_text(kAna.player))
      .add_claim("name", kAna.display_name)
      .add_claim("exp", now_ + 60);
  EXPECT_EQ(tokens_.verify(token.signature()), kAna);
}

TEST_F(TokensTest, AnExpiredTokenIsRefusedAndSaysSo) {
  const auto issued = tokens_.issue(kAna);
  EXPECT_TRUE(tokens_.verify(issued.token, issued.expires - 1s));
  const auto refused = tokens_.verify(issued.token, issued.expires);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnauthenticated);
  EXPECT_EQ(refused.error().message, "The token has expired; sign in again.");
}

TEST_F(TokensTest, AnotherSecretIsRefused) {
  expect_refused(accounts::Tokens{std::string(32, 't'), 1h}.issue(kAna).token);
}

TEST_F(TokensTest, TheTokensOfAFormerSecretAreAcceptedAndNewOnesAreOfTheNew) {
  const std::string former(32, 'f');
  const accounts::Tokens before{former, 1h};
  const accounts::Tokens both{kSecret, 1h, {}, former};
  EXPECT_EQ(both.verify(before.issue(kAna).token), kAna);
  EXPECT_EQ(
      both.verify_device(before.issue(kAna, "a secret of a device").token, "a secret of a device"),
      kAna);
  EXPECT_EQ(tokens_.verify(both.issue(kAna).token), kAna);
  EXPECT_FALSE(before.verify(both.issue(kAna).token));
}

TEST_F(TokensTest, AnyChangedCharacterIsRefused) {
  const std::string good = tokens_.issue(kAna).token;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = bad[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(tokens_.verify(bad)) << i;
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(tokens_.verify(good.substr(0, size))) << size;
  }
  expect_refused(good + "A");
  expect_refused(good + "=");
}

TEST_F(TokensTest, AlgorithmNoneIsRefused) {
  const std::string good = tokens_.issue(kAna).token;
  const std::string payload = good.substr(good.find('.'), good.rfind('.') - good.find('.'));
  const std::string header = base::encode_base64url(R"({"alg":"none","typ":"JWT"})");
  expect_refused(header + payload + ".");
  expect_refused(header + payload);
  expect_refused(header + payload + good.substr(good.rfind('.')));
}

TEST_F(TokensTest, AnotherAlgorithmUnderTheSameSecretIsRefused) {
  for (const char* algorithm : {"HS384", "HS512"}) {
    jwt::jwt_object token{jwt::params::algorithm(algorithm), jwt::params::secret(kSecret)};
    token.add_claim("iss", "tesela")
        .add_claim("sub", base::to_text(kAna.player))
        .add_claim("name", "Ana")
        .add_claim("exp", now_ + 60);
    expect_refused(token.signature());
  }
}

// Signed with the right key, but not what `issue` writes.
std::string sign(const std::string& payload) {
  const std::string part = base::encode_base64url(R"({"alg":"HS256","typ":"JWT"})") + "." +
                           base::encode_base64url(payload);
  std::array<unsigned char, EVP_MAX_MD_SIZE> mac{};
  unsigned size = 0;
  HMAC(EVP_sha256(), kSecret.data(), static_cast<int>(kSecret.size()),
       reinterpret_cast<const unsigned char*>(part.data()), part.size(), mac.data(), &size);
  return part + "." + base::encode_base64url({reinterpret_cast<const char*>(mac.data()), size});
}

TEST_F(TokensTest, ClaimsThatAreNotTheseAreRefused) {
  const std::string sub = base::to_text(kAna.player);
  const std::string good =
      R"({"iss":"tesela","sub":")" + sub + R"(","name":"Ana","exp":99999999999})";
  EXPECT_TRUE(tokens_.verify(sign(good)));
  const std::vector<std::string> refused{
      "",
      "[]",
      "{}",
      "{",
      R"({"iss":"other","sub":")" + sub + R"(","name":"Ana","exp":99999999999})",
      R"({"iss":"tesela","sub":"nobody","name":"Ana","exp":99999999999})",
      R"({"iss":"tesela","sub":")" + sub + R"(","exp":99999999999})",
      R"({"iss":"tesela","sub":")" + sub + R"(","name":"Ana"})",
      R"({"iss":"tesela","sub":")" + sub + R"(","name":"Ana","exp":"99999999999"})",
      R"({"iss":"tesela","sub":7,"name":"Ana","exp":99999999999})",
      R"({"iss":"tesela","sub":")" + sub + R"(","name":"Ana","exp":99999999999,"dev":7})"};
  for (const std::string& bad : refused) {
    expect_refused(sign(bad));
  }
}

class DeviceTest : public TokensTest {
 protected:
  void expect_denied(const std::string& token, std::string_view device_secret,
                     std::string_view why) {
    const auto denied = tokens_.verify_device(token, device_secret);
    ASSERT_FALSE(denied);
    EXPECT_EQ(denied.error().code, ErrorCode::kPermissionDenied);
    EXPECT_NE(denied.error().message.find(why), std::string::npos) << denied.error().message;
  }

  const std::string device_ = "what only Ana's device knows";
};

TEST_F(DeviceTest, WhoKnowsTheSecretIsBelieved) {
  const auto bound = tokens_.issue(kAna, device_);
  EXPECT_EQ(tokens_.verify_device(bound.token, device_), kAna);
  EXPECT_EQ(tokens_.verify(bound.token), kAna);
}

TEST_F(DeviceTest, WhoHasOnlyFoundTheTokenIsNot) {
  const auto bound = tokens_.issue(kAna, device_);
  expect_denied(bound.token, "what another one knows", "not the one");
  expect_denied(bound.token, "", "not the one");
  const std::string payload = bound.token.substr(bound.token.find('.') + 1);
  EXPECT_EQ(base::decode_base64(payload.substr(0, payload.find('.')))->find(device_),
            std::string::npos);
}

TEST_F(DeviceTest, ATokenOfNoDeviceIsNotRenewed) {
  expect_denied(tokens_.issue(kAna).token, device_, "without a device_secret");
  expect_denied(tokens_.issue(kAna).token, "", "without a device_secret");
}

TEST_F(DeviceTest, AnExpiredTokenIsNotRenewed) {
  const auto bound = tokens_.issue(kAna, device_);
  EXPECT_TRUE(tokens_.verify_device(bound.token, device_, bound.expires - 1s));
  const auto refused = tokens_.verify_device(bound.token, device_, bound.expires);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnauthenticated);
}

TEST_F(TokensTest, NoTokenIsAnInvitationToSignIn) {
  expect_refused("");
  expect_refused(".");
  expect_refused("..");
}

}  // namespace
}  // namespace tesela::services
