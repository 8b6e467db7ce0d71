// Coming back, and coming from elsewhere: RenewToken, and the players of an operator's own issuer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <filesystem>
#include <future>
#include <string>
#include <vector>

#include "server/accounts/issuer.h"
#include "tests/server/accounts/issuer_keys.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using namespace std::chrono_literals;
using grpc::StatusCode;
using testing::HasSubstr;

const std::string kDevice = "what only Ana's device knows";

class RenewalTest : public LobbyFixture {
 protected:
  grpc::Status sign_in_on(const std::string& device_secret, lobby::v1::SignInResponse& response) {
    grpc::ClientContext context;
    lobby::v1::SignInRequest request;
    request.set_display_name("Ana");
    request.set_device_secret(device_secret);
    return stub_->SignIn(&context, request, &response);
  }
  grpc::Status renew(const std::string& token, const std::string& device_secret,
                     lobby::v1::RenewTokenResponse& response) {
    grpc::ClientContext context;
    context.AddMetadata("authorization", "Bearer " + token);
    lobby::v1::RenewTokenRequest request;
    request.set_device_secret(device_secret);
    return stub_->RenewToken(&context, request, &response);
  }
};

TEST_F(RenewalTest, AFreshTokenIsOfTheSamePlayerAndDevice) {
  lobby::v1::SignInResponse ana;
  ASSERT_TRUE(sign_in_on(kDevice, ana).ok());
  lobby::v1::RenewTokenResponse fresh;
  ASSERT_TRUE(renew(ana.token(), kDevice, fresh).ok());
  EXPECT_EQ(create(fresh.token()).owner_id(), ana.player_id());
  EXPECT_GE(fresh.expires_at().seconds(), ana.expires_at().seconds());
  EXPECT_TRUE(renew(fresh.token(), kDevice, fresh).ok());
  EXPECT_TRUE(renew(ana.token(), kDevice, fresh).ok());
}

TEST_F(RenewalTest, WhoHasOnlyTheTokenGetsNoOther) {
  lobby::v1::SignInResponse ana;
  ASSERT_TRUE(sign_in_on(kDevice, ana).ok());
  lobby::v1::RenewTokenResponse fresh;
  const auto stolen = renew(ana.token(), "the secret of a thief", fresh);
  EXPECT_EQ(stolen.error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(stolen.error_message(), HasSubstr("not the one"));
  EXPECT_EQ(renew(sign_in().token(), "", fresh).error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(renew("nonsense", kDevice, fresh).error_code(), StatusCode::UNAUTHENTICATED);
}

TEST_F(RenewalTest, APlayerWhoIsNotKnownSignsInAgain) {
  const auto stranger = tokens_.issue({PlayerId{7}, "Nobody"}, kDevice);
  lobby::v1::RenewTokenResponse fresh;
  const auto status = renew(stranger.token, kDevice, fresh);
  EXPECT_EQ(status.error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(status.error_message(), HasSubstr("sign in again"));
}

TEST_F(RenewalTest, ASecretThatCouldBeGuessedIsRefused) {
  lobby::v1::SignInResponse response;
  for (const std::size_t size : {1, 15, 65}) {
    const auto status = sign_in_on(std::string(size, 'd'), response);
    EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
    EXPECT_THAT(status.error_message(), HasSubstr("16 to 64"));
  }
  for (const std::size_t size : {16, 64}) {
    EXPECT_TRUE(sign_in_on(std::string(size, 'd'), response).ok());
  }
}

class AdmissionTest : public LobbyFixture {
 protected:
  AdmissionTest() : both_kinds_(std::string(32, 's'), 1h, issuer_of(keys_, data_ / "issuer.pem")) {}

  static accounts::Issuer issuer_of(const KeyPair& keys, const std::filesystem::path& file) {
    keys.write_public(file);
    return accounts::Issuer::open({.key_file = file, .name = "https://id.example", .audience = {}})
        .value();
  }
  template <class T>
  T wait(boost::asio::awaitable<T> work) {
    return boost::asio::co_spawn(io_.any(), std::move(work), boost::asio::use_future).get();
  }
  [[nodiscard]] std::string token_of(const std::string& subject, const std::string& name) const {
    const auto expires = std::chrono::system_clock::now() + 1h;
    return token(keys_, "EdDSA",
                 {{"iss", "https://id.example"},
                  {"sub", subject},
                  {"name", name},
                  {"exp", std::chrono::system_clock::to_time_t(expires)}});
  }

  const KeyPair keys_ = KeyPair::ed25519();
  const accounts::Tokens both_kinds_;  // of guests and of the issuer
  accounts::Players players_{*store_, backend_->accounts(), both_kinds_, metrics_};
  int subject_ = 100;
};

TEST_F(AdmissionTest, AStrangerOfTheIssuerIsStoredAtTheFirstVisit) {
  const auto id = both_kinds_.verify(token_of("7", "Ana")).value().player;
  EXPECT_FALSE(wait(store_->player(id)));
  EXPECT_EQ(wait(players_.admit(token_of("7", "Ana"), nullptr)).value().player, id);
  EXPECT_EQ(wait(store_->player(id)).value().display_name, "Ana");
  const auto again = wait(players_.admit(token_of("7", "Bea"), nullptr));
  EXPECT_EQ(again.value().display_name, "Ana") << "the name of the first visit";
}

TEST_F(AdmissionTest, TwoFirstVisitsAtOnceAreOnePlayer) {
  const std::string visitor = token_of("8", "Ana");
  std::vector<std::future<Expected<accounts::Identity>>> visits;
  for (int i = 0; i < 8; ++i) {
    visits.push_back(boost::asio::co_spawn(io_.any(), players_.admit(visitor, nullptr),
                                           boost::asio::use_future));
  }
  const auto first = visits.front().get();
  ASSERT_TRUE(first) << first.error().message;
  for (std::size_t i = 1; i < visits.size(); ++i) EXPECT_EQ(visits[i].get(), first);
}

TEST_F(AdmissionTest, WhoHasTheIdOfSomebodyElseIsNotTakenForThem) {
  const auto ana = both_kinds_.verify(token_of("9", "Ana")).value();
  const auto visit_as = [&](store::PlayerKind kind, std::string identity) {
    const std::string subject = std::to_string(++subject_);
    store::PlayerRow row{.id = both_kinds_.verify(token_of(subject, "Ana")).value().player,
                         .display_name = "Other",
                         .created_ms = 1,
                         .kind = kind,
                         .identity = std::move(identity)};
    EXPECT_TRUE(wait(store_->add_player(std::move(row))));
    return wait(players_.admit(token_of(subject, "Ana"), nullptr));
  };
  for (const auto kind :
       {store::PlayerKind::kGuest, store::PlayerKind::kOfIssuer, store::PlayerKind::kBot}) {
    const auto visit = visit_as(kind, kind == store::PlayerKind::kGuest ? "" : "another's hash");
    ASSERT_FALSE(visit);
    EXPECT_EQ(visit.error().code, ErrorCode::kUnauthenticated);
    EXPECT_THAT(visit.error().message, HasSubstr("somebody else's"));
  }
  // A player of a schema before 4: only the id is stored.
  EXPECT_EQ(visit_as(store::PlayerKind::kPerson, "").value().display_name, "Other");
  EXPECT_EQ(ana.account_hash.size(), 32U);
}

TEST_F(AdmissionTest, AFirstVisitCostsASignIn) {
  metrics::Metrics metrics;
  quota::AdmissionControl admission{{.sign_ins_per_minute = 2}, metrics};
  const auto from = admission.address(boost::asio::ip::make_address("192.0.2.7"));
  EXPECT_TRUE(wait(players_.admit(token_of("a", "Ana"), from)));
  EXPECT_TRUE(wait(players_.admit(token_of("b", "Ben"), from)));
  const auto third = wait(players_.admit(token_of("c", "Eva"), from));
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::kResourceExhausted);
  EXPECT_TRUE(wait(players_.admit(token_of("a", "Ana"), from)))
      << "who was here before costs nothing";
  EXPECT_FALSE(wait(store_->player(both_kinds_.verify(token_of("c", "Eva")).value().player)));
}

TEST_F(AdmissionTest, AGuestIsTakenAtTheTokensWord) {
  const accounts::Identity nobody{PlayerId{7}, "Nobody"};
  EXPECT_EQ(wait(players_.admit(both_kinds_.issue(nobody).token, nullptr)), nobody);
  EXPECT_EQ(wait(players_.admit("nonsense", nullptr)).error().code, ErrorCode::kUnauthenticated);
}

}  // namespace
}  // namespace tesela::services
