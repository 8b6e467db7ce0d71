#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "server/services/table_watches.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using namespace std::chrono_literals;
using grpc::StatusCode;
using WatchTables = LobbyFixture;

// One call of WatchTables.
struct Watcher {
  Watcher(lobby::v1::LobbyService::Stub& stub, const lobby::v1::WatchTablesRequest& request = {}) {
    context.set_deadline(std::chrono::system_clock::now() + 5min);
    reader = stub.WatchTables(&context, request);
  }

  std::string next() {
    lobby::v1::WatchTablesResponse response;
    return reader->Read(&response) ? response.table().table_id() : "";
  }

  // Reads what is left.
  grpc::Status end() {
    while (!next().empty()) ++read;
    return reader->Finish();
  }

  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReader<lobby::v1::WatchTablesResponse>> reader;
  int read = 0;
};

TEST_F(WatchTables, AWatcherSeesWhatIsThereAndThenWhatChanges) {
  const std::string token = sign_in().token();
  const std::string first = create(token).table_id();
  Watcher watcher{*stub_};
  EXPECT_EQ(watcher.next(), first);
  const std::string second = create(token).table_id();
  EXPECT_EQ(watcher.next(), second);
  const auto row =
      boost::asio::co_spawn(io_.any(), table_rows_->table(*base::parse_id<TableId>(first)),
                            boost::asio::use_future)
          .get();
  feed_.publish(*row);
  EXPECT_EQ(watcher.next(), first);
  watcher.context.TryCancel();
  EXPECT_EQ(watcher.end().error_code(), StatusCode::CANCELLED);
}

TEST_F(WatchTables, AWatchTakesASlotWhereItsConnectionHasNone) {
  rpc::Caller caller{.quota = admission_.address(boost::asio::ip::make_address("192.0.2.1"))};
  std::vector<std::unique_ptr<rpc::StreamCall>> watches;
  const auto begin = [&] {
    auto& call = *watches.emplace_back(
        calls_.stream(*calls_.find("/tesela.lobby.v1.LobbyService/WatchTables")));
    auto beginning = call.begin(std::make_unique<lobby::v1::WatchTablesRequest>(), caller);
    return boost::asio::co_spawn(io_.any(), std::move(beginning), boost::asio::use_future)
        .get()
        .error_code();
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(begin(), StatusCode::OK) << i;
  caller.shares_connection = true;
  for (int i = 0; i < 2; ++i) EXPECT_EQ(begin(), StatusCode::OK) << i;
  EXPECT_EQ(begin(), StatusCode::RESOURCE_EXHAUSTED);
  watches.clear();
  EXPECT_EQ(begin(), StatusCode::OK);
}

TEST_F(WatchTables, WhoChangesATableDoesNotTellTheWatchers) {
  const std::string made = create(sign_in().token()).table_id();
  const auto row =
      boost::asio::co_spawn(io_.any(), table_rows_->table(*base::parse_id<TableId>(made)),
                            boost::asio::use_future)
          .get();
  ASSERT_TRUE(row);
  directory::TableFeed feed;
  base::IoPool front{1};
  TableWatches watches{front, *store_, feed};
  boost::asio::io_context here;
  auto watch = watches.watch({}, std::nullopt, {}, here.get_executor()).value();
  std::vector<std::string> told;
  const auto read_one = [&] {
    boost::asio::co_spawn(
        here, watch->next(), [&](const std::exception_ptr&, const Expected<rpc::MessagePtr>& next) {
          ASSERT_TRUE(next);
          const auto& message = dynamic_cast<const lobby::v1::WatchTablesResponse&>(**next);
          told.push_back(message.table().table_id());
        });
  };
  read_one();
  here.run();
  EXPECT_EQ(told, std::vector{made});

  // The threads that tell are not there yet.
  read_one();
  here.restart();
  here.poll();
  feed.publish(*row);
  here.poll();
  EXPECT_EQ(told, std::vector{made});
  front.run();
  here.run();
  EXPECT_EQ(told, (std::vector{made, made}));
  front.stop();
  front.join();
}

TEST_F(WatchTables, NoTableIsMissedHoweverTheWatchAndItsMakingMeet) {
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

TEST_F(WatchTables, AWatchersFilterHolds) {
  const auto ana = sign_in("Ana");
  const auto ben = sign_in("Ben");
  lobby::v1::WatchTablesRequest request;
  request.mutable_filter()->set_player_id(ben.player_id());
  Watcher watcher{*stub_, request};
  watcher.reader->WaitForInitialMetadata();
  create(ana.token());
  const std::string of_ben = create(ben.token()).table_id();
  EXPECT_EQ(watcher.next(), of_ben);
  watcher.context.TryCancel();
}

TEST_F(WatchTables, AFilterThatIsNoneEndsTheWatch) {
  lobby::v1::WatchTablesRequest request;
  request.mutable_filter()->set_player_id("nobody");
  Watcher watcher{*stub_, request};
  EXPECT_EQ(watcher.end().error_code(), StatusCode::INVALID_ARGUMENT);
}

TEST_F(WatchTables, AWatcherThatReadsTooSlowlyIsToldSo) {
  Watcher watcher{*stub_};
  watcher.reader->WaitForInitialMetadata();
  store::TableRow row;
  row.id = TableId{1};
  row.game = "2048";
  for (std::size_t i = 0; i < 2 * limits::kWatchQueueMax; ++i) feed_.publish(row);
  const grpc::Status status = watcher.end();
  EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_LE(watcher.read, static_cast<int>(limits::kWatchQueueMax) + 2);
  // Watchers that read are not affected.
  Watcher other{*stub_};
  other.reader->WaitForInitialMetadata();
  feed_.publish(row);
  EXPECT_EQ(other.next(), base::to_text(row.id));
  other.context.TryCancel();
}

TEST_F(WatchTables, WhereChangesWereMissedAWatcherIsToldToWatchAgain) {
  Watcher watcher{*stub_};
  watcher.reader->WaitForInitialMetadata();
  feed_.tell_missed();
  const grpc::Status status = watcher.end();
  EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(status.error_message(), "Changes of tables may have been missed; watch again.");
  Watcher again{*stub_};
  const std::string made = create(sign_in().token()).table_id();
  EXPECT_EQ(again.next(), made);
  again.context.TryCancel();
}

TEST_F(WatchTables, WithoutAWatcherNobodyWantsToHearOfChanges) {
  EXPECT_FALSE(feed_.wanted());
  Watcher watcher{*stub_};
  watcher.reader->WaitForInitialMetadata();
  EXPECT_TRUE(feed_.wanted());
  watcher.context.TryCancel();
  EXPECT_EQ(watcher.end().error_code(), StatusCode::CANCELLED);
  while (feed_.wanted()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
}

TEST_F(WatchTables, WatchersEndWhenTheServerStops) {
  Watcher watcher{*stub_};
  watcher.reader->WaitForInitialMetadata();
  service_.drain();
  EXPECT_EQ(watcher.end().error_code(), StatusCode::UNAVAILABLE);
  Watcher late{*stub_};
  EXPECT_EQ(late.end().error_code(), StatusCode::UNAVAILABLE);
}

TEST_F(WatchTables, ThereAreNotMoreWatchersThanMayBe) {
  std::vector<std::unique_ptr<lobby::v1::LobbyService::Stub>> stubs;
  std::list<Watcher> watchers;
  for (std::size_t i = 0; i < limits::kWatchersMax; ++i) {
    if (i % limits::kGrpcCallsPerConnectionMax == 0) {
      stubs.push_back(lobby::v1::LobbyService::NewStub(connect()));
    }
    watchers.emplace_back(*stubs.back()).reader->WaitForInitialMetadata();
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
}  // namespace tesela::services
