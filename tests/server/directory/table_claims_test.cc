#include "server/directory/table_claims.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <vector>

#include "server/store/lives/pause_watch.h"
#include "server/store/only_life.h"

namespace tesela::directory {
namespace {

/// The database does not say what has become of a claim.
class UnknownClaims final : public store::OnlyLifesDuties {
 public:
  boost::asio::awaitable<Expected<store::Claimed>> claim(TableId /*table*/,
                                                         store::LifeId /*life*/) override {
    co_return refuse(ErrorCode::kInternal, "The answer was lost.");
  }
  boost::asio::awaitable<Expected<store::TableHeads>> heads(
      std::vector<TableId> /*tables*/) override {
    co_return store::TableHeads{};
  }
};

// Found by the simulation: its players were told that they need not come back.
TEST(TableClaims, OfAnUnknownOutcomeMayBeTriedAgain) {
  UnknownClaims unknown;
  const store::PauseWatch life({});
  TableClaims claims(unknown, life);
  boost::asio::io_context io;
  auto claimed = boost::asio::co_spawn(io, claims.claim(TableId{1}), boost::asio::use_future);
  io.run();
  EXPECT_EQ(claimed.get().error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace tesela::directory
