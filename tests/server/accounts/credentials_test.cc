// Recovery codes, challenges, and passkeys by the vectors of the standard.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/accounts/challenges.h"
#include "server/accounts/passkeys.h"
#include "server/accounts/recovery_code.h"
#include "server/accounts/webauthn.h"
#include "tests/server/games/hex.h"

namespace tesela::accounts {
namespace credentials_test {

using namespace std::chrono_literals;

// Of the proposal: 127.0.0.1, 63.84.220.193, 216.35.68.215 and 198.81.129.136, two words each.
TEST(RecoveryCodes, WordsAreThoseOfTheProposal) {
  const std::string words = "lusab-babad-gutih-tugad-tobog-higil-sinid-makam";
  const auto code = RecoveryCode::read(words);
  ASSERT_TRUE(code);
  EXPECT_EQ(test::hex(code->locator), "7f0000013f54");
  EXPECT_EQ(test::hex(code->secret), "dcc1d82344d7c6518188");
  EXPECT_EQ(code->words(), words);
}

TEST(RecoveryCodes, CaseSpacesAndHyphensDoNotMatter) {
  const RecoveryCode code = RecoveryCode::random();
  EXPECT_NE(code, RecoveryCode::random());
  std::string shouted;
  for (const char c : code.words()) {
    shouted += c == '-' ? '\n' : static_cast<char>(c - 'a' + 'A');
  }
  EXPECT_EQ(RecoveryCode::read("  " + shouted).value(), code);
  std::string joined = code.words();
  std::erase(joined, '-');
  EXPECT_EQ(RecoveryCode::read(joined).value(), code);
}

TEST(RecoveryCodes, WhatIsNoneIsRefused) {
  const std::string words = RecoveryCode::random().words();
  for (const std::string& text : {std::string(), words.substr(1), words + "a", words + "-lusab",
                                  "e" + words.substr(1), std::string("lusab")}) {
    const auto refused = RecoveryCode::read(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(RecoveryCodes, OnlyTheSecretFitsItsHash) {
  const std::string hash = hash_of("secret");
  EXPECT_NE(hash, hash_of("secret"));
  EXPECT_TRUE(is_hash_of(hash, "secret"));
  EXPECT_FALSE(is_hash_of(hash, "Secret"));
  EXPECT_FALSE(is_hash_of("", "secret"));
  EXPECT_FALSE(is_hash_of(hash.substr(1), "secret"));
}

class ChallengesTest : public testing::Test {
 protected:
  void expect_refused(std::string_view challenge, Purpose purpose, PlayerId player,
                      Challenges::Time now) {
    const auto refused = challenges_.check(challenge, purpose, player, now);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kPermissionDenied);
  }

  const Challenges challenges_{std::string(32, 'k')};
  const PlayerId ada_{7};
  const Challenges::Time now_ = std::chrono::system_clock::now();
};

TEST_F(ChallengesTest, OneIsForItsPurposeItsPlayerAndFiveMinutes) {
  const std::string made = challenges_.make(Purpose::kRegister, ada_, now_);
  const auto id = challenges_.check(made, Purpose::kRegister, ada_, now_ + 299s);
  ASSERT_TRUE(id);
  const std::string other = challenges_.make(Purpose::kRegister, ada_, now_);
  EXPECT_NE(challenges_.check(other, Purpose::kRegister, ada_, now_).value(), *id);
  expect_refused(made, Purpose::kRegister, ada_, now_ + 300s);
  expect_refused(made, Purpose::kSignIn, ada_, now_);
  expect_refused(made, Purpose::kRegister, PlayerId{8}, now_);
  expect_refused(made, Purpose::kRegister, PlayerId{}, now_);
}

TEST_F(ChallengesTest, NobodyElseMakesOne) {
  const std::string made = challenges_.make(Purpose::kSignIn, PlayerId{}, now_);
  EXPECT_TRUE(challenges_.check(made, Purpose::kSignIn, PlayerId{}, now_));
  for (std::size_t i = 0; i < made.size(); ++i) {
    std::string changed = made;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    expect_refused(changed, Purpose::kSignIn, PlayerId{}, now_);
    expect_refused(made.substr(0, i), Purpose::kSignIn, PlayerId{}, now_);
  }
  expect_refused(made + "x", Purpose::kSignIn, PlayerId{}, now_);
  const Challenges elsewhere(std::string(32, 'x'));
  expect_refused(elsewhere.make(Purpose::kSignIn, PlayerId{}, now_), Purpose::kSignIn, PlayerId{},
                 now_);
}

/// Of Web Authentication, Level 3, section 16: RP id "example.org". Not that of RS256, whose key
/// has 3482 bits: libfido2 takes 2048, as authenticators have.
struct Vector {
  std::string name, made, id, client, data, signature;
};

std::vector<Vector> vectors() {
  std::ifstream file{"tests/server/accounts/webauthn_vectors.jsonl"};
  EXPECT_TRUE(file);
  std::vector<Vector> all;
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::json::parse(line);
    const auto bytes = [&json](const char* field) {
      return test::from_hex(json.at(field).get<std::string>());
    };
    all.push_back({json.at("name"), bytes("made"), bytes("id"), bytes("client"), bytes("data"),
                   bytes("signature")});
  }
  return all;
}

constexpr std::string_view kSite = "example.org";

std::string key_of(const Vector& vector) {
  const auto made = read_made(kSite, vector.made);
  EXPECT_TRUE(made) << vector.name;
  return made ? made->public_key : std::string();
}

TEST(Webauthn, TheVectorsOfTheStandardAreTrue) {
  const auto all = vectors();
  ASSERT_EQ(all.size(), 3);
  for (const Vector& vector : all) {
    const auto made = read_made(kSite, vector.made);
    ASSERT_TRUE(made) << vector.name << ": " << made.error().message;
    EXPECT_EQ(made->id, vector.id);
    const auto uses =
        verify(kSite, made->public_key, {vector.client, vector.data, vector.signature});
    EXPECT_EQ(uses, 0) << vector.name;
    const auto client = ClientData::read(vector.client);
    ASSERT_TRUE(client);
    EXPECT_EQ(client->type, "webauthn.get");
    EXPECT_EQ(client->origin, "https://example.org");
    EXPECT_FALSE(client->cross_origin);
  }
}

TEST(Webauthn, AChangedBitIsRefused) {
  const auto all = vectors();
  for (const Vector& vector : all) {
    const std::string key = key_of(vector);
    const auto refused = [&](std::string Vector::* field, std::size_t at) {
      Vector changed = vector;
      (changed.*field)[at] = static_cast<char>((changed.*field)[at] ^ 1);
      return !verify(kSite, key, {changed.client, changed.data, changed.signature});
    };
    for (std::size_t i = 0; i < vector.data.size(); ++i) EXPECT_TRUE(refused(&Vector::data, i));
    for (std::size_t i = 0; i < vector.client.size(); ++i) {
      EXPECT_TRUE(refused(&Vector::client, i));
    }
    for (std::size_t i = 0; i < vector.signature.size(); ++i) {
      EXPECT_TRUE(refused(&Vector::signature, i)) << vector.name << " " << i;
    }
  }
}

TEST(Webauthn, AnotherSiteAnotherKeyAndWhatIsCutShortAreRefused) {
  const auto all = vectors();
  const std::string key = key_of(all[0]);
  const Assertion assertion{all[0].client, all[0].data, all[0].signature};
  EXPECT_EQ(read_made("example.com", all[0].made).error().code, ErrorCode::kPermissionDenied);
  EXPECT_EQ(verify("example.com", key, assertion).error().code, ErrorCode::kPermissionDenied);
  for (const Vector& other : std::span(all).subspan(1)) {
    const std::string theirs = key_of(other);
    EXPECT_EQ(verify(kSite, theirs, assertion).error().code, ErrorCode::kPermissionDenied);
  }
  for (std::size_t size = 0; size < all[0].made.size(); ++size) {
    EXPECT_FALSE(read_made(kSite, std::string_view(all[0].made).substr(0, size)));
  }
  for (std::size_t size = 0; size < all[0].data.size(); ++size) {
    const std::string cut = all[0].data.substr(0, size);
    EXPECT_FALSE(verify(kSite, key, {all[0].client, cut, all[0].signature}));
  }
}

TEST(Webauthn, ClientDataInAFrameOrOfNothingIsRecognised) {
  const auto read = [](std::string_view more) {
    return ClientData::read(R"({"type":"t","challenge":"YQ","origin":"o")" + std::string(more) +
                            "}");
  };
  EXPECT_FALSE(read("")->cross_origin);
  EXPECT_FALSE(read(R"(,"crossOrigin":false,"later":{})")->cross_origin);
  EXPECT_TRUE(read(R"(,"crossOrigin":true)")->cross_origin);
  EXPECT_TRUE(read(R"(,"crossOrigin":"false")")->cross_origin);
  EXPECT_TRUE(read(R"(,"topOrigin":"https://frame.example")")->cross_origin);
  for (const char* text : {"", "{", "[]", "7", R"({"type":"t"})", R"({"type":1,"challenge":2})",
                           R"({"type":"t","challenge":"!","origin":"o"})"}) {
    EXPECT_FALSE(ClientData::read(text)) << text;
  }
}

TEST(Webauthn, ThePageIsTheOneOfTheOptionAndItsHostTheSite) {
  const Passkeys passkeys("https://example.org:8443", "key");
  EXPECT_EQ(passkeys.rp_id(), "example.org");
  EXPECT_EQ(Passkeys("http://localhost:8080", "key").rp_id(), "localhost");
  EXPECT_EQ(user_handle_of(PlayerId{0x0102}), (std::string{"\0\0\0\0\0\0\1\2", 8}));
}

}  // namespace credentials_test
}  // namespace tesela::accounts
