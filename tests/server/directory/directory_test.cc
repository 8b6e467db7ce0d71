// The directory over the real store.
#include "server/directory/directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "server/base/text_encoding.h"
#include "server/tables/table.h"
#include "tests/server/base/warnings.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using DirectoryTest = LobbyFixture;

struct IdleDirectoryTest : LobbyFixture {
  IdleDirectoryTest() : LobbyFixture(std::chrono::milliseconds{40}) {}
};

TEST_F(DirectoryTest, WhoeverStopsWakesNoBots) {
  auto request = azul_of(2);
  request.set_watch_only(true);
  for (int i = 0; i < 2; ++i) request.add_bots()->set_strategy("random");
  lobby::v1::CreateTableResponse response;
  ASSERT_TRUE(create(sign_in().token(), request, response).ok());
  boost::asio::co_spawn(io_.any(), directory_.close_all(), boost::asio::use_future).get();
  Warnings warnings;
  boost::asio::co_spawn(io_.any(), directory_.resume(), boost::asio::use_future).get();
  EXPECT_TRUE(warnings.none()) << warnings.next().text;
}

// They are looked at a part at a time: there must be several parts.
TEST_F(IdleDirectoryTest, AllTablesLeaveMemory) {
  constexpr int kTables = 600;
  const std::string token = sign_in().token();
  std::vector<std::weak_ptr<tables::Table>> opened;
  for (int n = 0; n < kTables; ++n) {
    const auto id = *base::parse_id<TableId>(create(token).table_id());
    const auto table =
        boost::asio::co_spawn(io_.any(), directory_.open(id), boost::asio::use_future).get();
    ASSERT_TRUE(table) << table.error().message;
    opened.push_back(*table);
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes{1};
  const auto left = [&] {
    return std::ranges::count_if(opened, [](const auto& table) { return !table.expired(); });
  };
  while (left() > 0 && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  EXPECT_EQ(left(), 0);
}

}  // namespace
}  // namespace tesela::services
