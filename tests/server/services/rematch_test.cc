// LobbyService.RematchTable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <string>

#include "server/base/text_encoding.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using grpc::StatusCode;
using testing::HasSubstr;

class RematchTest : public LobbyFixture {
 protected:
  /// A table of Azul in play: Ana, Bob and a bot.
  lobby::v1::Table azul_of_three() {
    auto request = azul_of(3);
    auto& bot = *request.add_bots();
    bot.set_strategy("safe");
    bot.set_seat(2);
    lobby::v1::CreateTableResponse made;
    EXPECT_TRUE(create(ana_.token(), request, made).ok());
    lobby::v1::JoinTableRequest seat;
    seat.set_table_id(made.table().table_id());
    lobby::v1::JoinTableResponse joined;
    EXPECT_TRUE(join(bob_.token(), seat, joined).ok());
    EXPECT_EQ(joined.table().state(), lobby::v1::TABLE_STATE_IN_PLAY);
    return joined.table();
  }
  /// Puts an end to the game in the log, as its last move would.
  void end_game(const lobby::v1::Table& table) {
    const TableId id = *base::parse_id<TableId>(table.table_id());
    const auto row =
        boost::asio::co_spawn(io_.any(), table_rows_->table(id), boost::asio::use_future).get();
    store::Append last{.table = id,
                       .epoch = row->epoch,
                       .version = Version{2},
                       .record = "last",
                       .ending = store::Ending{.result = {}, .ended_ms = 1}};
    const auto ended =
        boost::asio::co_spawn(io_.any(), log_->append(std::move(last)), boost::asio::use_future)
            .get();
    ASSERT_TRUE(ended) << ended.error().message;
  }
  grpc::Status ask(const lobby::v1::SignInResponse& player, const std::string& table_id,
                   bool contribute_later = false) {
    lobby::v1::RematchTableRequest request;
    request.set_table_id(table_id);
    request.set_contribute_later(contribute_later);
    lobby::v1::RematchTableResponse response;
    const auto status =
        call(&lobby::v1::LobbyService::Stub::RematchTable, player.token(), request, response);
    rematch_ = response.table();
    return status;
  }

  /// Adds to the dice of the rematch.
  grpc::Status contribute(const lobby::v1::SignInResponse& player, const std::string& bytes) {
    lobby::v1::ContributeRequest request;
    request.set_table_id(rematch_.table_id());
    request.set_contribution(bytes);
    lobby::v1::ContributeResponse response;
    const auto status =
        call(&lobby::v1::LobbyService::Stub::Contribute, player.token(), request, response);
    rematch_ = look_at(rematch_.table_id(), player.token());
    return status;
  }

  const lobby::v1::SignInResponse ana_ = sign_in("Ana");
  const lobby::v1::SignInResponse bob_ = sign_in("Bob");
  lobby::v1::Table rematch_;
};

TEST_F(RematchTest, ItBeginsWhenAllHaveAskedAndEverybodyHasMovedOn) {
  const auto old = azul_of_three();
  end_game(old);
  ASSERT_TRUE(ask(bob_, old.table_id()).ok());
  const lobby::v1::Table first = rematch_;
  EXPECT_NE(first.table_id(), old.table_id());
  EXPECT_EQ(first.state(), lobby::v1::TABLE_STATE_OPEN);
  EXPECT_EQ(first.config().value(), old.config().value());
  EXPECT_EQ(first.options().bot_pace_ms(), 60'000);
  EXPECT_EQ(first.owner_id(), bob_.player_id());
  EXPECT_EQ(first.invite().size(), 22);
  ASSERT_EQ(first.seats_size(), 2);
  EXPECT_EQ(first.seats(0).player_id(), bob_.player_id());
  EXPECT_EQ(first.seats(0).seat(), 0);
  EXPECT_EQ(first.seats(1).strategy(), "safe");
  EXPECT_EQ(first.seats(1).seat(), 1);

  ASSERT_TRUE(ask(bob_, old.table_id()).ok());
  EXPECT_EQ(rematch_.table_id(), first.table_id());
  EXPECT_EQ(rematch_.state(), lobby::v1::TABLE_STATE_OPEN);

  ASSERT_TRUE(ask(ana_, old.table_id()).ok());
  EXPECT_EQ(rematch_.table_id(), first.table_id());
  EXPECT_EQ(rematch_.state(), lobby::v1::TABLE_STATE_IN_PLAY);
  EXPECT_EQ(rematch_.seats(2).player_id(), ana_.player_id());
  ASSERT_TRUE(ask(ana_, old.table_id()).ok());
  EXPECT_EQ(rematch_.state(), lobby::v1::TABLE_STATE_IN_PLAY);
}

TEST_F(RematchTest, WhoContributesLaterSeesTheCommitmentOfTheRematchFirst) {
  const auto old = azul_of_three();
  end_game(old);
  ASSERT_TRUE(ask(bob_, old.table_id(), true).ok());
  const lobby::v1::Table shown = rematch_;
  EXPECT_EQ(shown.commitment().size(), 32);
  EXPECT_NE(shown.commitment(), old.commitment());
  EXPECT_EQ(shown.seats(0).contribution(), play::v1::CONTRIBUTION_STATE_AWAITED);
  ASSERT_TRUE(ask(ana_, old.table_id(), true).ok());
  // All seats are taken, and two players are awaited.
  EXPECT_EQ(rematch_.state(), lobby::v1::TABLE_STATE_OPEN);
  EXPECT_EQ(rematch_.commitment(), shown.commitment());

  ASSERT_TRUE(contribute(ana_, "Ana's dice").ok());
  EXPECT_EQ(rematch_.state(), lobby::v1::TABLE_STATE_OPEN);
  ASSERT_TRUE(contribute(bob_, "Bob's dice").ok());
  EXPECT_EQ(rematch_.state(), lobby::v1::TABLE_STATE_IN_PLAY);
  EXPECT_EQ(rematch_.commitment(), shown.commitment());
  for (const auto& seat : rematch_.seats()) {
    EXPECT_EQ(seat.contribution(), seat.bot() ? play::v1::CONTRIBUTION_STATE_UNSPECIFIED
                                              : play::v1::CONTRIBUTION_STATE_AFTER_COMMITMENT);
  }
}

TEST_F(RematchTest, OnlyWhoPlayedAGameToItsEndAsks) {
  const auto table = azul_of_three();
  const auto playing = ask(ana_, table.table_id());
  EXPECT_EQ(playing.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(playing.error_message(), HasSubstr("once the game is over"));
  end_game(table);
  const auto stranger = ask(sign_in("Eve"), table.table_id());
  EXPECT_EQ(stranger.error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(stranger.error_message(), HasSubstr("a player of the game"));
  EXPECT_EQ(ask(ana_, "nonsense").error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(ask(ana_, base::to_text(TableId{1})).error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(ask({}, table.table_id()).error_code(), StatusCode::UNAUTHENTICATED);
}

TEST_F(RematchTest, ADailyGameIsTriedOnce) {
  lobby::v1::CreateTableRequest request;
  request.set_game("2048");
  request.set_daily(true);
  lobby::v1::CreateTableResponse made;
  ASSERT_TRUE(create(ana_.token(), request, made).ok());
  end_game(made.table());
  const auto refused = ask(ana_, made.table().table_id());
  EXPECT_EQ(refused.error_code(), StatusCode::ALREADY_EXISTS);
  EXPECT_THAT(refused.error_message(), HasSubstr("tried once"));
}

TEST_F(RematchTest, WhoIsInvitedTakesTheSeatOfWhoDoesNotAsk) {
  const auto old = azul_of_three();
  end_game(old);
  ASSERT_TRUE(ask(ana_, old.table_id()).ok());
  lobby::v1::JoinTableRequest seat;
  seat.set_table_id(rematch_.table_id());
  seat.set_invite(rematch_.invite());
  lobby::v1::JoinTableResponse joined;
  ASSERT_TRUE(join(sign_in("Eve").token(), seat, joined).ok());
  EXPECT_EQ(joined.table().state(), lobby::v1::TABLE_STATE_IN_PLAY);
  EXPECT_EQ(ask(bob_, old.table_id()).error_code(), StatusCode::FAILED_PRECONDITION);
}

}  // namespace
}  // namespace tesela::services
