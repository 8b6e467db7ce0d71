// The directory over the real store.
#include "server/directory/directory.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

#include "tests/server/lobby/lobby_fixture.h"
#include "tests/server/lobby/warnings.h"

namespace tesela::services {
namespace {

using DirectoryTest = LobbyFixture;

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

}  // namespace
}  // namespace tesela::services
