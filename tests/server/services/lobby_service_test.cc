#include "server/services/lobby_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <google/protobuf/unknown_field_set.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "tesela/game/v1/g2048.pb.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using namespace std::chrono_literals;
using grpc::StatusCode;
using testing::HasSubstr;

class LobbyServiceTest : public LobbyFixture {
 protected:
  grpc::Status list(const lobby::v1::ListTablesRequest& request,
                    lobby::v1::ListTablesResponse& response) {
    grpc::ClientContext context;
    return stub_->ListTables(&context, request, &response);
  }

  void expect_refused(const lobby::v1::ListTablesRequest& request, std::string_view why) {
    lobby::v1::ListTablesResponse response;
    const grpc::Status status = list(request, response);
    EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
    EXPECT_THAT(status.error_message(), HasSubstr(std::string{why}));
  }
};

TEST_F(LobbyServiceTest, SigningInGivesATokenOfANewPlayer) {
  const auto first = sign_in("  Ana ");
  EXPECT_EQ(first.display_name(), "Ana");
  const auto identity = tokens_.verify(first.token());
  ASSERT_TRUE(identity);
  EXPECT_EQ(base::to_text(identity->player), first.player_id());
  const std::int64_t seconds_left =
      first.expires_at().seconds() -
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  EXPECT_NEAR(static_cast<double>(seconds_left), 3600, 5);
  EXPECT_NE(sign_in("Ana").player_id(), first.player_id());
}

TEST_F(LobbyServiceTest, ANameThatCannotBeShownIsRefused) {
  grpc::ClientContext context;
  lobby::v1::SignInRequest request;
  request.set_display_name("a\nb");
  lobby::v1::SignInResponse response;
  const grpc::Status status = stub_->SignIn(&context, request, &response);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("cannot be shown"));
}

TEST_F(LobbyServiceTest, ANewTableSeatsItsMaker) {
  const auto ana = sign_in();
  const lobby::v1::Table table = create(ana.token());
  EXPECT_TRUE(base::parse_id<TableId>(table.table_id()));
  EXPECT_EQ(table.game(), "2048");
  EXPECT_EQ(table.state(), lobby::v1::TABLE_STATE_IN_PLAY);
  ASSERT_EQ(table.seats_size(), 1);
  EXPECT_EQ(table.seats(0).player_id(), ana.player_id());
  EXPECT_EQ(table.seats(0).display_name(), "Ana");
  EXPECT_FALSE(table.has_ended_at());
  EXPECT_FALSE(table.has_result());
  game::v1::Game2048Config config;
  ASSERT_TRUE(table.config().UnpackTo(&config));
  EXPECT_EQ(config.size(), 4U);
}

TEST_F(LobbyServiceTest, ATableNeedsAToken) {
  const accounts::Identity nobody{PlayerId{7}, "Nobody"};
  const auto past = std::chrono::system_clock::now() - 2h;
  const std::array tokens{std::string{}, std::string{"nonsense"},
                          tokens_.issue(nobody, {}, past).token,
                          accounts::Tokens{std::string(32, 't'), 1h}.issue(nobody).token,
                          // Rightly signed, but of a player that this database does not have.
                          tokens_.issue(nobody).token};
  lobby::v1::CreateTableRequest request;
  request.set_game("2048");
  for (const std::string& token : tokens) {
    lobby::v1::CreateTableResponse response;
    const grpc::Status status = create(token, request, response);
    EXPECT_EQ(status.error_code(), StatusCode::UNAUTHENTICATED) << token;
    EXPECT_THAT(status.error_message(), HasSubstr("sign in"));
  }
}

TEST_F(LobbyServiceTest, AGameOrAConfigurationThatIsNoneIsRefused) {
  const std::string token = sign_in().token();
  lobby::v1::CreateTableRequest request;
  lobby::v1::CreateTableResponse response;
  request.set_game("chess");
  EXPECT_EQ(create(token, request, response).error_code(), StatusCode::INVALID_ARGUMENT);
  request.set_game("2048");
  game::v1::Game2048Config config;
  config.set_size(99);
  request.mutable_config()->PackFrom(config);
  EXPECT_EQ(create(token, request, response).error_code(), StatusCode::INVALID_ARGUMENT);
  request.mutable_config()->PackFrom(lobby::v1::Table{});
  EXPECT_EQ(create(token, request, response).error_code(), StatusCode::INVALID_ARGUMENT);
}

TEST_F(LobbyServiceTest, WhileStoppingNoTableIsMade) {
  const std::string token = sign_in().token();
  directory_.drain();
  lobby::v1::CreateTableRequest request;
  request.set_game("2048");
  lobby::v1::CreateTableResponse response;
  EXPECT_EQ(create(token, request, response).error_code(), StatusCode::UNAVAILABLE);
}

TEST_F(LobbyServiceTest, ATableIsFoundByItsId) {
  const lobby::v1::Table made = create(sign_in().token());
  const auto get = [&](const std::string& id, lobby::v1::GetTableResponse& response) {
    grpc::ClientContext context;
    lobby::v1::GetTableRequest request;
    request.set_table_id(id);
    return stub_->GetTable(&context, request, &response).error_code();
  };
  lobby::v1::GetTableResponse response;
  EXPECT_EQ(get(made.table_id(), response), StatusCode::OK);
  EXPECT_EQ(response.table().SerializeAsString(), made.SerializeAsString());
  EXPECT_EQ(get("nonsense", response), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(get(base::to_text(TableId{1}), response), StatusCode::NOT_FOUND);
}

TEST_F(LobbyServiceTest, PagesHaveEveryTableOnceNewestFirst) {
  const std::string token = sign_in().token();
  std::vector<std::string> made;
  for (int i = 0; i < 5; ++i) {
    made.insert(made.begin(), create(token).table_id());
    std::this_thread::sleep_for(2ms);  // creation times in milliseconds order them
  }
  lobby::v1::ListTablesRequest request;
  request.set_page_size(2);
  std::vector<std::string> listed;
  std::vector<int> sizes;
  do {
    lobby::v1::ListTablesResponse page;
    ASSERT_TRUE(list(request, page).ok());
    sizes.push_back(page.tables_size());
    for (const auto& table : page.tables()) listed.push_back(table.table_id());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(listed, made);
  EXPECT_EQ(sizes, (std::vector<int>{2, 2, 1}));
}

TEST_F(LobbyServiceTest, AFullLastPageHasNoNext) {
  const std::string token = sign_in().token();
  create(token);
  create(token);
  lobby::v1::ListTablesRequest request;
  request.set_page_size(2);
  lobby::v1::ListTablesResponse page;
  ASSERT_TRUE(list(request, page).ok());
  EXPECT_EQ(page.tables_size(), 2);
  EXPECT_EQ(page.next_page_token(), "");
}

TEST_F(LobbyServiceTest, WithoutASizeAPageHasTwenty) {
  const std::string token = sign_in().token();
  for (int i = 0; i < 21; ++i) create(token);
  lobby::v1::ListTablesResponse page;
  ASSERT_TRUE(list({}, page).ok());
  EXPECT_EQ(page.tables_size(), 20);
  EXPECT_NE(page.next_page_token(), "");
}

TEST_F(LobbyServiceTest, APageThatCannotBeIsRefused) {
  lobby::v1::ListTablesRequest request;
  request.set_page_size(101);
  expect_refused(request, "at most 100");
  request.set_page_size(100);
  request.set_page_token("nonsense");
  expect_refused(request, "page_token");
  request.clear_page_token();
  request.mutable_filter()->set_player_id("nobody");
  expect_refused(request, "player_id");
}

/// Options with a field that the server does not know.
lobby::v1::TableOptions options_with_unknown(std::size_t bytes) {
  lobby::v1::TableOptions options;
  auto& unknown = *options.GetReflection()->MutableUnknownFields(&options);
  unknown.AddLengthDelimited(4711, std::string(bytes, 'x'));
  auto& of_clock = *options.GetReflection()->MutableUnknownFields(options.mutable_clock());
  of_clock.AddLengthDelimited(4711, std::string(bytes, 'x'));
  return options;
}

TEST_F(LobbyServiceTest, WhatTheServerDoesNotKnowIsNotKept) {
  lobby::v1::CreateTableRequest request = azul_of(2);
  *request.mutable_options() = options_with_unknown(1000);
  request.mutable_options()->mutable_clock()->set_move_ms(60'000);
  lobby::v1::CreateTableResponse response;
  ASSERT_TRUE(create(sign_in().token(), request, response).ok());
  EXPECT_LT(response.table().ByteSizeLong(), 600U);
  EXPECT_EQ(response.table().options().clock().move_ms(), 60'000U);
  const auto id = *base::parse_id<TableId>(response.table().table_id());
  const auto row =
      boost::asio::co_spawn(io_.any(), table_rows_->table(id), boost::asio::use_future).get();
  EXPECT_LT(row->options.size(), 100U);
}

TEST_F(LobbyServiceTest, WhatWasKeptBeforeIsShownToNobody) {
  const auto ana = sign_in();
  const auto made = create(ana.token());
  const auto id = *base::parse_id<TableId>(made.table_id());
  auto row =
      boost::asio::co_spawn(io_.any(), table_rows_->table(id), boost::asio::use_future).get();
  for (std::uint64_t n = 1; n <= limits::kPageMax; ++n) {
    store::TableRow old = row.value();
    old.id = TableId{n};
    old.state = store::TableState::kOpen;
    old.seat_count = 2;
    old.options = options_with_unknown(30'000).SerializeAsString();
    auto added =
        boost::asio::co_spawn(io_.any(), table_rows_->add_table(std::move(old), std::nullopt, {}),
                              boost::asio::use_future);
    ASSERT_TRUE(added.get());
  }
  lobby::v1::ListTablesRequest request;
  request.set_page_size(limits::kPageMax);
  request.mutable_filter()->set_state(lobby::v1::TABLE_STATE_OPEN);
  lobby::v1::ListTablesResponse page;
  const auto status = list(request, page);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(page.tables_size(), static_cast<int>(limits::kPageMax));
  EXPECT_LT(page.ByteSizeLong(), limits::kPageBytesMax);
}

TEST_F(LobbyServiceTest, TheFilterHolds) {
  const auto ana = sign_in("Ana");
  const auto ben = sign_in("Ben");
  create(ana.token());
  const std::string of_ben = create(ben.token()).table_id();
  lobby::v1::ListTablesRequest request;
  request.mutable_filter()->set_player_id(ben.player_id());
  lobby::v1::ListTablesResponse page;
  ASSERT_TRUE(list(request, page).ok());
  ASSERT_EQ(page.tables_size(), 1);
  EXPECT_EQ(page.tables(0).table_id(), of_ben);
  request.mutable_filter()->set_state(lobby::v1::TABLE_STATE_OVER);
  ASSERT_TRUE(list(request, page).ok());
  EXPECT_EQ(page.tables_size(), 0);
  request.mutable_filter()->Clear();
  request.mutable_filter()->set_game("azul");
  ASSERT_TRUE(list(request, page).ok());
  EXPECT_EQ(page.tables_size(), 0);
}

}  // namespace
}  // namespace tesela::services
