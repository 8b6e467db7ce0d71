// Private tables over LobbyService: who gets the invite, and who finds the tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using namespace std::chrono_literals;
using grpc::StatusCode;
using testing::HasSubstr;
using testing::MatchesRegex;

class PrivateTablesTest : public LobbyFixture {
 protected:
  lobby::v1::Table create_private(const std::string& token) {
    lobby::v1::CreateTableRequest request;
    request.set_game("azul");
    request.mutable_options()->set_invite_only(true);
    lobby::v1::CreateTableResponse response;
    EXPECT_TRUE(create(token, request, response).ok());
    return response.table();
  }
  std::string invite_shown_to(const std::string& token, const lobby::v1::Table& table) {
    return look_at(table.table_id(), token).invite();
  }
  lobby::v1::ListTablesResponse list(const std::string& token, const std::string& player_id) {
    lobby::v1::ListTablesRequest request;
    request.mutable_filter()->set_player_id(player_id);
    lobby::v1::ListTablesResponse response;
    EXPECT_TRUE(call(&lobby::v1::LobbyService::Stub::ListTables, token, request, response).ok());
    return response;
  }
};

TEST_F(PrivateTablesTest, TheInviteIsForWhoMadeTheTableAndWhoSitsThere) {
  const auto ana = sign_in("Ana");
  const auto bob = sign_in("Bob");
  const auto table = create_private(ana.token());
  EXPECT_THAT(table.invite(), MatchesRegex("[A-Za-z0-9_-]+"));
  EXPECT_EQ(table.invite().size(), 22);
  EXPECT_TRUE(table.options().invite_only());
  EXPECT_EQ(invite_shown_to(ana.token(), table), table.invite());
  EXPECT_EQ(invite_shown_to(bob.token(), table), "");
  EXPECT_EQ(invite_shown_to("nonsense", table), "");

  lobby::v1::JoinTableRequest request;
  request.set_table_id(table.table_id());
  lobby::v1::JoinTableResponse response;
  auto refused = join(bob.token(), request, response);
  EXPECT_EQ(refused.error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(refused.error_message(), HasSubstr("is private"));
  request.set_invite("AAAAAAAAAAAAAAAAAAAAAA");
  refused = join(bob.token(), request, response);
  EXPECT_EQ(refused.error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(refused.error_message(), HasSubstr("not the invite"));
  request.set_invite(table.invite());
  ASSERT_TRUE(join(bob.token(), request, response).ok());
  EXPECT_EQ(response.table().invite(), table.invite());
  EXPECT_EQ(invite_shown_to(bob.token(), table), table.invite());
}

TEST_F(PrivateTablesTest, EachHasAnInviteOfItsOwn) {
  const auto token = sign_in().token();
  EXPECT_NE(create_private(token).invite(), create_private(token).invite());
}

TEST_F(PrivateTablesTest, TheyStandOnlyInTheListsOfWhoSitsThere) {
  const auto ana = sign_in("Ana");
  const auto table = create_private(ana.token());
  EXPECT_EQ(list(ana.token(), "").tables_size(), 0);
  EXPECT_EQ(list(sign_in("Bob").token(), ana.player_id()).tables_size(), 0);
  const auto own = list(ana.token(), ana.player_id());
  ASSERT_EQ(own.tables_size(), 1);
  EXPECT_EQ(own.tables(0).table_id(), table.table_id());
  EXPECT_EQ(own.tables(0).invite(), table.invite());
}

TEST_F(PrivateTablesTest, NobodyElseIsToldOfThemAndWatchesCarryNoInvite) {
  const auto ana = sign_in("Ana");
  const auto known = create(ana.token());
  grpc::ClientContext everybody;
  everybody.set_deadline(std::chrono::system_clock::now() + 20s);
  const auto to_all = stub_->WatchTables(&everybody, {});
  grpc::ClientContext of_ana;
  of_ana.set_deadline(std::chrono::system_clock::now() + 20s);
  of_ana.AddMetadata("authorization", "Bearer " + ana.token());
  lobby::v1::WatchTablesRequest own;
  own.mutable_filter()->set_player_id(ana.player_id());
  const auto to_ana = stub_->WatchTables(&of_ana, own);
  // Whoever is told of it has been sent the tables that there were: what comes now are changes, in
  // their order.
  lobby::v1::WatchTablesResponse told;
  for (auto* watch : {to_all.get(), to_ana.get()}) {
    ASSERT_TRUE(watch->Read(&told));
    ASSERT_EQ(told.table().table_id(), known.table_id());
  }
  const auto hidden = create_private(ana.token());
  const auto shown = create(ana.token());
  ASSERT_TRUE(to_all->Read(&told));
  EXPECT_EQ(told.table().table_id(), shown.table_id());
  ASSERT_TRUE(to_ana->Read(&told));
  EXPECT_EQ(told.table().table_id(), hidden.table_id());
  EXPECT_EQ(told.table().invite(), "");
  everybody.TryCancel();
  of_ana.TryCancel();
  EXPECT_EQ(to_all->Finish().error_code(), StatusCode::CANCELLED);
  EXPECT_EQ(to_ana->Finish().error_code(), StatusCode::CANCELLED);
}

TEST_F(PrivateTablesTest, ATableWithoutSpectatorsIsNotMadeToBeWatched) {
  lobby::v1::CreateTableRequest request;
  request.set_game("azul");
  request.set_watch_only(true);
  request.mutable_options()->set_spectators_off(true);
  lobby::v1::CreateTableResponse response;
  const auto refused = create(sign_in().token(), request, response);
  EXPECT_EQ(refused.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(refused.error_message(), HasSubstr("watch_only"));
}

}  // namespace
}  // namespace tesela::services
