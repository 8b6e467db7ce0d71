// Remote bots over gRPC.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "server/bots/bots.h"
#include "server/store/bot_account.h"
#include "tesela/bot/v1/bot.grpc.pb.h"
#include "tesela/game/v1/azul.pb.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using namespace std::chrono_literals;
using bot::v1::PlayRequest;
using bot::v1::PlayResponse;
using grpc::StatusCode;
using testing::ElementsAre;
using testing::HasSubstr;

/// A bot's end of its stream.
class Bot {
 public:
  explicit Bot(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(bot::v1::BotService::NewStub(channel)) {
    context_.set_deadline(std::chrono::system_clock::now() + 60s);
    stream_ = stub_->Play(&context_);
  }
  ~Bot() {
    context_.TryCancel();
    if (!finished_) static_cast<void>(stream_->Finish());
  }
  Bot(const Bot&) = delete;
  Bot& operator=(const Bot&) = delete;

  void offer(const std::string& token, const std::string& name, const std::string& game = "azul",
             const std::string& description = "A test.") {
    PlayRequest request;
    auto& offer = *request.mutable_offer();
    offer.set_token(token);
    offer.set_game(game);
    offer.set_name(name);
    offer.set_description(description);
    stream_->Write(request);
  }
  void answer(std::uint64_t question, const google::protobuf::Any& move) {
    PlayRequest request;
    request.mutable_answer()->set_question_id(question);
    *request.mutable_answer()->mutable_move() = move;
    stream_->Write(request);
  }
  /// The next message; an empty one at the end.
  PlayResponse next() {
    PlayResponse response;
    if (!stream_->Read(&response)) response.Clear();
    return response;
  }
  grpc::Status end() {
    while (next().message_case() != PlayResponse::MESSAGE_NOT_SET) {
    }
    finished_ = true;
    return stream_->Finish();
  }
  void leave() { stream_->WritesDone(); }

 private:
  std::unique_ptr<bot::v1::BotService::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<PlayRequest, PlayResponse>> stream_;
  bool finished_ = false;
};

class BotServiceTest : public LobbyFixture {
 protected:
  std::unique_ptr<Bot> come(const std::string& from = {}) {
    return std::make_unique<Bot>(from.empty() ? channel_ : connect(from));
  }

  std::unique_ptr<Bot> offered(const std::string& name, const std::string& game = "azul") {
    auto bot = come();
    bot->offer(sign_in("Bo").token(), name, game);
    EXPECT_EQ(bot->next().accepted().strategy(), "ext/" + name);
    return bot;
  }

  /// How an offer is refused.
  grpc::Status refused(const std::string& token, const std::string& name,
                       const std::string& game = "azul", const std::string& description = {}) {
    const auto bot = come();
    bot->offer(token, name, game, description);
    return bot->end();
  }

  std::vector<lobby::v1::StrategyDescription> listed(const std::string& game) {
    lobby::v1::ListStrategiesRequest request;
    request.set_game(game);
    lobby::v1::ListStrategiesResponse response;
    EXPECT_TRUE(call(&lobby::v1::LobbyService::Stub::ListStrategies, "", request, response).ok());
    return {response.strategies().begin(), response.strategies().end()};
  }

  void wait_until_gone(const std::string& game) {
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (listed(game).front().level() == 0) {
      ASSERT_LT(std::chrono::steady_clock::now(), end);
      std::this_thread::sleep_for(5ms);
    }
  }

  /// A table of two bots alone.
  lobby::v1::Table table_of(const std::string& first, const std::string& second) {
    lobby::v1::CreateTableRequest request;
    request.set_game("azul");
    request.set_watch_only(true);
    request.add_bots()->set_strategy(first);
    request.add_bots()->set_strategy(second);
    lobby::v1::CreateTableResponse response;
    const auto status = create(sign_in("Ana").token(), request, response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.table();
  }
};

TEST_F(BotServiceTest, ABotIsAStrategyWhileItsStreamLasts) {
  const auto before = listed("").size();
  const auto bot = come();
  bot->offer(sign_in("Bo").token(), "my-bot", "azul", " Takes  what it gets. ");
  const auto accepted = bot->next().accepted();
  EXPECT_EQ(accepted.strategy(), "ext/my-bot");
  EXPECT_EQ(accepted.move_ms(), 500);
  const auto first = listed("azul").front();
  EXPECT_EQ(first.name(), "ext/my-bot");
  EXPECT_EQ(first.game(), "azul");
  EXPECT_EQ(first.description(), "Takes what it gets.");
  EXPECT_EQ(first.level(), 0);
  EXPECT_EQ(listed("").size(), before + 1);
  EXPECT_NE(listed("2048").front().level(), 0);
  bot->leave();
  EXPECT_TRUE(bot->end().ok());
  EXPECT_NE(listed("azul").front().level(), 0);
}

TEST_F(BotServiceTest, ABotPlaysAWholeGame) {
  const auto bot = offered("first");
  const auto table = table_of("ext/first", "random");
  EXPECT_EQ(table.seats(0).display_name(), "ext/first");
  EXPECT_TRUE(table.seats(0).bot());
  std::uint64_t version = 0;
  std::thread playing([&] {
    for (auto response = bot->next(); response.message_case() != PlayResponse::MESSAGE_NOT_SET;
         response = bot->next()) {
      if (!response.has_question()) continue;  // a machine that stood still for its deadline
      const auto& question = response.question();
      game::v1::AzulConfig config;
      EXPECT_TRUE(question.config().UnpackTo(&config));
      EXPECT_EQ(config.players(), 2);
      game::v1::AzulView view;
      EXPECT_TRUE(question.view().UnpackTo(&view));
      EXPECT_EQ(view.turn(), question.seat());
      EXPECT_EQ(question.deadline_ms(), 500);
      EXPECT_EQ(question.table_id(), table.table_id());
      EXPECT_GT(question.version(), version);
      version = question.version();
      EXPECT_FALSE(question.ranked());
      EXPECT_THAT(question.players(), ElementsAre("ext/first", "random"));
      bot->answer(question.question_id(), question.legal_moves(0));
    }
  });
  const auto over = wait_for(table.table_id(), lobby::v1::TABLE_STATE_OVER);
  EXPECT_EQ(over.result().standings_size(), 2);
  EXPECT_GT(metrics_.remote_requests("answered").Value(), 5);
  bot->leave();
  playing.join();
}

TEST_F(BotServiceTest, AnAnswerThatCannotBeUsedIsDismissed) {
  const auto bot = offered("wrong");
  const auto table = table_of("ext/wrong", "random");
  const auto question = bot->next().question();
  google::protobuf::Any move;
  move.PackFrom(game::v1::AzulView());
  bot->answer(question.question_id(), move);
  const auto dismissed = bot->next().dismissed();
  EXPECT_EQ(dismissed.question_id(), question.question_id());
  EXPECT_THAT(dismissed.message(), HasSubstr("must be a tesela.game.v1.AzulMove"));
  bot->answer(4711, move);
  auto response = bot->next();
  while (response.has_question()) response = bot->next();
  EXPECT_EQ(response.dismissed().question_id(), 4711);
}

TEST_F(BotServiceTest, AGameGoesOnWhenItsBotIsGone) {
  auto bot = offered("mortal");
  const auto table = table_of("ext/mortal", "random");
  EXPECT_TRUE(bot->next().has_question());
  bot.reset();
  wait_for(table.table_id(), lobby::v1::TABLE_STATE_OVER);
  wait_until_gone("azul");
}

TEST_F(BotServiceTest, EachRefusalSaysWhatWouldBeRight) {
  const auto token = sign_in("Bo").token();
  EXPECT_EQ(refused("nonsense", "a").error_code(), StatusCode::UNAUTHENTICATED);
  const auto game = refused(token, "a", "chess");
  EXPECT_EQ(game.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(game.error_message(), HasSubstr("Known games: 2048"));
  for (const char* name : {"", "Big", "ext/a", "a-name-that-is-far-too-long"}) {
    const auto status = refused(token, name);
    EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT) << name;
    EXPECT_THAT(status.error_message(), HasSubstr("letters a to z"));
  }
  const auto long_winded = refused(token, "a", "azul", std::string(201, 'a'));
  EXPECT_EQ(long_winded.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(long_winded.error_message(), HasSubstr("give at most 200"));
  auto bot = come();
  bot->offer(token, "taken");
  EXPECT_TRUE(bot->next().has_accepted());
  EXPECT_EQ(refused(token, "taken").error_code(), StatusCode::ALREADY_EXISTS);
}

TEST_F(BotServiceTest, ANameIsOfWhoHasOfferedItFirst) {
  const auto owner = sign_in("Bo").token();
  auto bot = come();
  bot->offer(owner, "mine");
  EXPECT_TRUE(bot->next().has_accepted());
  bot->leave();
  EXPECT_TRUE(bot->end().ok());
  const auto status = refused(sign_in("Mallory").token(), "mine");
  EXPECT_EQ(status.error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(status.error_message(), HasSubstr("give yours another name"));
  bot = come();
  bot->offer(owner, "mine");
  EXPECT_TRUE(bot->next().has_accepted());
}

TEST_F(BotServiceTest, AStreamBeginsWithAnOfferAndHasOnlyOne) {
  const auto early = come();
  early->answer(1, {});
  EXPECT_EQ(early->end().error_code(), StatusCode::INVALID_ARGUMENT);
  const auto twice = offered("twice");
  twice->offer(sign_in("Bo").token(), "other");
  EXPECT_EQ(twice->end().error_code(), StatusCode::INVALID_ARGUMENT);
  wait_until_gone("azul");
}

TEST_F(BotServiceTest, APlayerOffersSoMany) {
  const auto token = sign_in("Bo").token();
  std::vector<std::unique_ptr<Bot>> bots;
  for (int n = 0; n < limits::kRemoteBotsPerPlayerMax; ++n) {
    bots.push_back(come());
    bots.back()->offer(token, "bot-" + std::to_string(n));
    EXPECT_TRUE(bots.back()->next().has_accepted());
  }
  EXPECT_EQ(refused(token, "more").error_code(), StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(BotServiceTest, ANewNameCostsASignIn) {
  const auto token = sign_in("Bo").token();
  const auto offer = [&](const std::string& name, const std::string& from) {
    auto bot = come(from);
    bot->offer(token, name);
    return bot;
  };
  const auto first = offer("first", "192.0.2.1");
  EXPECT_TRUE(first->next().has_accepted());
  const auto status = offer("second", "192.0.2.1")->end();
  EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("signed in from your address"));
  EXPECT_TRUE(offer("second", "192.0.2.2")->next().has_accepted());
  first->leave();
  EXPECT_TRUE(first->end().ok());
  // The connections that have ended count for the address until the server has noticed it.
  bool accepted = false;
  for (int tries = 0; tries < 500 && !accepted; ++tries) {
    std::this_thread::sleep_for(10ms);
    accepted = offer("first", "192.0.2.1")->next().has_accepted();
  }
  EXPECT_TRUE(accepted);
}

TEST_F(BotServiceTest, ANameWhoseIdIsAPersonsIsNoBots) {
  // As if a bot's name with the id of a person had been found, which takes half of a SHA-256.
  store::PlayerRow victim{
      .id = bots::account_of("azul", "ext/evil"), .display_name = "Vic", .created_ms = 1};
  auto stored = boost::asio::co_spawn(io_.any(), store_->add_player(std::move(victim)),
                                      boost::asio::use_future);
  ASSERT_TRUE(stored.get());
  const auto status = refused(sign_in("Bo").token(), "evil");
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("give it another"));
  // A bot that is not offered cannot take the seat either.
  lobby::v1::CreateTableRequest request = azul_of(2);
  request.add_bots()->set_strategy("ext/evil");
  lobby::v1::CreateTableResponse response;
  EXPECT_FALSE(create(sign_in("Ana").token(), request, response).ok());
}

TEST_F(BotServiceTest, ABotIsMarkedInTheStore) {
  const auto bot = offered("marked");
  const auto row =
      boost::asio::co_spawn(io_.any(), store_->player(bots::account_of("azul", "ext/marked")),
                            boost::asio::use_future)
          .get();
  ASSERT_TRUE(row);
  EXPECT_EQ(row->kind, store::PlayerKind::kBot);
  EXPECT_EQ(row->identity, store::bot_account("azul", "ext/marked").identity);
}

TEST_F(BotServiceTest, AServerThatStopsSaysSo) {
  const auto bot = offered("last");
  bot_service_.drain();
  EXPECT_EQ(bot->end().error_code(), StatusCode::UNAVAILABLE);
  EXPECT_EQ(come()->end().error_code(), StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace tesela::services
