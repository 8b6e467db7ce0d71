#include "server/lobby/lobby_service.h"

#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "server/codec/id_text.h"
#include "server/net/grpc_server.h"
#include "server/ops/random.h"
#include "server/store/sqlite/sqlite_store.h"
#include "tesela/game/v1/g2048.pb.h"

namespace tesela::lobby {
namespace {

using namespace std::chrono_literals;
using grpc::StatusCode;
using testing::HasSubstr;

// The whole lobby over the real store, asked through gRPC.
class LobbyServiceTest : public testing::Test {
 protected:
  LobbyServiceTest() { io_.run(); }

  ~LobbyServiceTest() override {
    service_.drain();
    directory_.drain();
    boost::asio::co_spawn(io_.any(), directory_.close_all(), boost::asio::use_future).get();
    grpc_.stop(0ms);
    store_->close();
    io_.stop();
    io_.join();
    store_.reset();
    std::filesystem::remove_all(data_);
  }

  static std::filesystem::path fresh_folder() {
    const auto folder = std::filesystem::path{testing::TempDir()} /
                        ("tesela_lobby_" + codec::to_text(ops::random_table_id()));
    std::filesystem::create_directories(folder);
    return folder;
  }

  v1::SignInResponse sign_in(const std::string& name = "Ana") {
    grpc::ClientContext context;
    v1::SignInRequest request;
    request.set_display_name(name);
    v1::SignInResponse response;
    const grpc::Status status = stub_->SignIn(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  grpc::Status create(const std::string& token, const v1::CreateTableRequest& request,
                      v1::CreateTableResponse& response) {
    grpc::ClientContext context;
    if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
    return stub_->CreateTable(&context, request, &response);
  }

  v1::Table create(const std::string& token) {
    v1::CreateTableRequest request;
    request.set_game("2048");
    v1::CreateTableResponse response;
    const grpc::Status status = create(token, request, response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.table();
  }

  grpc::Status list(const v1::ListTablesRequest& request, v1::ListTablesResponse& response) {
    grpc::ClientContext context;
    return stub_->ListTables(&context, request, &response);
  }

  void expect_refused(const v1::ListTablesRequest& request, std::string_view why) {
    v1::ListTablesResponse response;
    const grpc::Status status = list(request, response);
    EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
    EXPECT_THAT(status.error_message(), HasSubstr(std::string{why}));
  }

  const std::filesystem::path data_ = fresh_folder();
  std::unique_ptr<store::SqliteStore> store_ = *store::SqliteStore::open({.folder = data_});
  ops::Metrics metrics_{"test"};
  net::IoPool io_{2};
  TableFeed feed_;
  Tokens tokens_{std::string(32, 's'), 1h};
  Players players_{*store_, tokens_};
  Directory directory_{{.io = io_,
                        .log = *store_,
                        .store = *store_,
                        .feed = feed_,
                        .metrics = metrics_,
                        .table_idle = 1min,
                        .frames_per_second_max = 0}};
  LobbyService service_{{.io = io_,
                         .store = *store_,
                         .directory = directory_,
                         .players = players_,
                         .tokens = tokens_,
                         .feed = feed_}};
  std::array<grpc::Service*, 1> services_{&service_};
  net::GrpcServer grpc_{{"127.0.0.1", 0}, services_, metrics_};
  std::unique_ptr<v1::LobbyService::Stub> stub_ = v1::LobbyService::NewStub(grpc_.in_process());
};

TEST_F(LobbyServiceTest, SigningInGivesATokenOfANewPlayer) {
  const auto first = sign_in("  Ana ");
  EXPECT_EQ(first.display_name(), "Ana");
  const auto identity = tokens_.verify(first.token());
  ASSERT_TRUE(identity);
  EXPECT_EQ(codec::to_text(identity->player), first.player_id());
  const std::int64_t seconds_left =
      first.expires_at().seconds() -
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  EXPECT_NEAR(static_cast<double>(seconds_left), 3600, 5);
  EXPECT_NE(sign_in("Ana").player_id(), first.player_id());
}

TEST_F(LobbyServiceTest, ANameThatCannotBeShownIsRefused) {
  grpc::ClientContext context;
  v1::SignInRequest request;
  request.set_display_name("a\nb");
  v1::SignInResponse response;
  const grpc::Status status = stub_->SignIn(&context, request, &response);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("cannot be shown"));
}

TEST_F(LobbyServiceTest, ANewTableSeatsItsMaker) {
  const auto ana = sign_in();
  const v1::Table table = create(ana.token());
  EXPECT_TRUE(codec::parse_table_id(table.table_id()));
  EXPECT_EQ(table.game(), "2048");
  EXPECT_EQ(table.state(), v1::TABLE_STATE_IN_PLAY);
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
  const Identity nobody{PlayerId{7}, "Nobody"};
  const auto past = std::chrono::system_clock::now() - 2h;
  const std::array tokens{std::string{}, std::string{"nonsense"}, tokens_.issue(nobody, past).token,
                          Tokens{std::string(32, 't'), 1h}.issue(nobody).token,
                          // Rightly signed, but of a player that this database does not have.
                          tokens_.issue(nobody).token};
  v1::CreateTableRequest request;
  request.set_game("2048");
  for (const std::string& token : tokens) {
    v1::CreateTableResponse response;
    const grpc::Status status = create(token, request, response);
    EXPECT_EQ(status.error_code(), StatusCode::UNAUTHENTICATED) << token;
    EXPECT_THAT(status.error_message(), HasSubstr("sign in"));
  }
}

TEST_F(LobbyServiceTest, AGameOrAConfigurationThatIsNoneIsRefused) {
  const std::string token = sign_in().token();
  v1::CreateTableRequest request;
  v1::CreateTableResponse response;
  request.set_game("chess");
  EXPECT_EQ(create(token, request, response).error_code(), StatusCode::INVALID_ARGUMENT);
  request.set_game("2048");
  game::v1::Game2048Config config;
  config.set_size(99);
  request.mutable_config()->PackFrom(config);
  EXPECT_EQ(create(token, request, response).error_code(), StatusCode::INVALID_ARGUMENT);
  request.mutable_config()->PackFrom(v1::Table{});
  EXPECT_EQ(create(token, request, response).error_code(), StatusCode::INVALID_ARGUMENT);
}

TEST_F(LobbyServiceTest, WhileStoppingNoTableIsMade) {
  const std::string token = sign_in().token();
  directory_.drain();
  v1::CreateTableRequest request;
  request.set_game("2048");
  v1::CreateTableResponse response;
  EXPECT_EQ(create(token, request, response).error_code(), StatusCode::UNAVAILABLE);
}

TEST_F(LobbyServiceTest, ATableIsFoundByItsId) {
  const v1::Table made = create(sign_in().token());
  const auto get = [&](const std::string& id, v1::GetTableResponse& response) {
    grpc::ClientContext context;
    v1::GetTableRequest request;
    request.set_table_id(id);
    return stub_->GetTable(&context, request, &response).error_code();
  };
  v1::GetTableResponse response;
  EXPECT_EQ(get(made.table_id(), response), StatusCode::OK);
  EXPECT_EQ(response.table().SerializeAsString(), made.SerializeAsString());
  EXPECT_EQ(get("nonsense", response), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(get(codec::to_text(TableId{1}), response), StatusCode::NOT_FOUND);
}

TEST_F(LobbyServiceTest, PagesHaveEveryTableOnceNewestFirst) {
  const std::string token = sign_in().token();
  std::vector<std::string> made;
  for (int i = 0; i < 5; ++i) {
    made.insert(made.begin(), create(token).table_id());
    std::this_thread::sleep_for(2ms);  // creation times in milliseconds order them
  }
  v1::ListTablesRequest request;
  request.set_page_size(2);
  std::vector<std::string> listed;
  std::vector<int> sizes;
  do {
    v1::ListTablesResponse page;
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
  v1::ListTablesRequest request;
  request.set_page_size(2);
  v1::ListTablesResponse page;
  ASSERT_TRUE(list(request, page).ok());
  EXPECT_EQ(page.tables_size(), 2);
  EXPECT_EQ(page.next_page_token(), "");
}

TEST_F(LobbyServiceTest, WithoutASizeAPageHasTwenty) {
  const std::string token = sign_in().token();
  for (int i = 0; i < 21; ++i) create(token);
  v1::ListTablesResponse page;
  ASSERT_TRUE(list({}, page).ok());
  EXPECT_EQ(page.tables_size(), 20);
  EXPECT_NE(page.next_page_token(), "");
}

TEST_F(LobbyServiceTest, APageThatCannotBeIsRefused) {
  v1::ListTablesRequest request;
  request.set_page_size(101);
  expect_refused(request, "at most 100");
  request.set_page_size(100);
  request.set_page_token("nonsense");
  expect_refused(request, "page_token");
  request.clear_page_token();
  request.mutable_filter()->set_player_id("nobody");
  expect_refused(request, "player_id");
}

TEST_F(LobbyServiceTest, TheFilterHolds) {
  const auto ana = sign_in("Ana");
  const auto ben = sign_in("Ben");
  create(ana.token());
  const std::string of_ben = create(ben.token()).table_id();
  v1::ListTablesRequest request;
  request.mutable_filter()->set_player_id(ben.player_id());
  v1::ListTablesResponse page;
  ASSERT_TRUE(list(request, page).ok());
  ASSERT_EQ(page.tables_size(), 1);
  EXPECT_EQ(page.tables(0).table_id(), of_ben);
  request.mutable_filter()->set_state(v1::TABLE_STATE_OVER);
  ASSERT_TRUE(list(request, page).ok());
  EXPECT_EQ(page.tables_size(), 0);
  request.mutable_filter()->Clear();
  request.mutable_filter()->set_game("azul");
  ASSERT_TRUE(list(request, page).ok());
  EXPECT_EQ(page.tables_size(), 0);
}

// One call of WatchTables.
struct Watcher {
  Watcher(v1::LobbyService::Stub& stub, const v1::WatchTablesRequest& request = {}) {
    context.set_deadline(std::chrono::system_clock::now() + 20s);
    reader = stub.WatchTables(&context, request);
  }

  std::string next() {
    v1::WatchTablesResponse response;
    return reader->Read(&response) ? response.table().table_id() : "";
  }

  // Reads what is left.
  grpc::Status end() {
    while (!next().empty()) ++read;
    return reader->Finish();
  }

  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReader<v1::WatchTablesResponse>> reader;
  int read = 0;
};

TEST_F(LobbyServiceTest, AWatcherSeesWhatIsThereAndThenWhatChanges) {
  const std::string token = sign_in().token();
  const std::string first = create(token).table_id();
  Watcher watcher{*stub_};
  EXPECT_EQ(watcher.next(), first);
  const std::string second = create(token).table_id();
  EXPECT_EQ(watcher.next(), second);
  const auto row = boost::asio::co_spawn(io_.any(), store_->table(*codec::parse_table_id(first)),
                                         boost::asio::use_future)
                       .get();
  feed_.publish(*row);
  EXPECT_EQ(watcher.next(), first);
  watcher.context.TryCancel();
  EXPECT_EQ(watcher.end().error_code(), StatusCode::CANCELLED);
}

TEST_F(LobbyServiceTest, NoTableIsMissedHoweverTheWatchAndItsMakingMeet) {
  const std::string token = sign_in().token();
  for (int round = 0; round < 30; ++round) {
    std::string made;
    std::thread maker{[&] { made = create(token).table_id(); }};
    Watcher watcher{*stub_};
    maker.join();
    // It is in the first page or in the changes: the stream must come to it.
    bool seen = false;
    for (int i = 0; i < round + 2 && !seen; ++i) seen = watcher.next() == made;
    EXPECT_TRUE(seen) << "in round " << round;
    watcher.context.TryCancel();
  }
}

TEST_F(LobbyServiceTest, AWatchersFilterHolds) {
  const auto ana = sign_in("Ana");
  const auto ben = sign_in("Ben");
  v1::WatchTablesRequest request;
  request.mutable_filter()->set_player_id(ben.player_id());
  Watcher watcher{*stub_, request};
  watcher.reader->WaitForInitialMetadata();
  create(ana.token());
  const std::string of_ben = create(ben.token()).table_id();
  EXPECT_EQ(watcher.next(), of_ben);
  watcher.context.TryCancel();
}

TEST_F(LobbyServiceTest, AFilterThatIsNoneEndsTheWatch) {
  v1::WatchTablesRequest request;
  request.mutable_filter()->set_player_id("nobody");
  Watcher watcher{*stub_, request};
  EXPECT_EQ(watcher.end().error_code(), StatusCode::INVALID_ARGUMENT);
}

TEST_F(LobbyServiceTest, AWatcherThatReadsTooSlowlyIsToldSo) {
  Watcher watcher{*stub_};
  watcher.reader->WaitForInitialMetadata();
  store::TableRow row;
  row.id = TableId{1};
  row.game = "2048";
  for (std::size_t i = 0; i < 2 * limits::kWatchQueueMax; ++i) feed_.publish(row);
  const grpc::Status status = watcher.end();
  EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_LE(watcher.read, static_cast<int>(limits::kWatchQueueMax) + 2);
  // Whoever reads is not disturbed.
  Watcher other{*stub_};
  other.reader->WaitForInitialMetadata();
  feed_.publish(row);
  EXPECT_EQ(other.next(), codec::to_text(row.id));
  other.context.TryCancel();
}

TEST_F(LobbyServiceTest, WatchersEndWhenTheServerStops) {
  Watcher watcher{*stub_};
  watcher.reader->WaitForInitialMetadata();
  service_.drain();
  EXPECT_EQ(watcher.end().error_code(), StatusCode::UNAVAILABLE);
  Watcher late{*stub_};
  EXPECT_EQ(late.end().error_code(), StatusCode::UNAVAILABLE);
}

TEST_F(LobbyServiceTest, ThereAreNotMoreWatchersThanMayBe) {
  std::list<Watcher> watchers;
  for (std::size_t i = 0; i < limits::kWatchersMax; ++i) {
    watchers.emplace_back(*stub_).reader->WaitForInitialMetadata();
  }
  EXPECT_EQ(Watcher{*stub_}.end().error_code(), StatusCode::RESOURCE_EXHAUSTED);
  watchers.front().context.TryCancel();
  (void)watchers.front().end();
  // Its place is free as soon as the server has noticed.
  store::TableRow row;
  row.id = TableId{1};
  for (int i = 0; i < 500; ++i) {
    Watcher next{*stub_};
    next.reader->WaitForInitialMetadata();
    feed_.publish(row);
    const bool watches = !next.next().empty();
    next.context.TryCancel();
    if (watches) return;
  }
  FAIL() << "no place became free";
}

}  // namespace
}  // namespace tesela::lobby
