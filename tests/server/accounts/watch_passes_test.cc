// An operator's pass: to one table, for its time, under one key.
#include "server/accounts/watch_passes.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace tesela::accounts {
namespace {

using namespace std::chrono_literals;

constexpr TableId kTable{7};
const WatchPasses passes{std::string(32, 'k')};
const auto now = WatchPasses::Time{1'700'000'000s};

TEST(WatchPasses, OneAdmitsToItsTableUntilItsTimeIsOver) {
  const auto [pass, expires] = passes.issue(kTable, now);
  EXPECT_EQ(expires, now + kWatchPassTime);
  EXPECT_TRUE(passes.admits(pass, kTable, now));
  EXPECT_TRUE(passes.admits(pass, kTable, expires - 1s));
  EXPECT_FALSE(passes.admits(pass, kTable, expires));
  EXPECT_FALSE(passes.admits(pass, TableId{8}, now));
}

TEST(WatchPasses, NothingElseIsOne) {
  const std::string pass = passes.issue(kTable, now).pass;
  const std::size_t end = pass.find('_', std::string("watch_").size());
  const std::string later = "watch_1800000000" + pass.substr(end);
  for (const std::string& text :
       {std::string(), std::string("watch_"), std::string("watch__"), std::string("watch_1_"),
        std::string("watch_-1") + pass.substr(end), std::string("watch_99999999999999999999_x"),
        later, pass + "=", pass.substr(0, pass.size() - 1), pass.substr(1)}) {
    EXPECT_FALSE(passes.admits(text, kTable, now)) << text;
  }
  EXPECT_FALSE(WatchPasses(std::string(32, 'l')).admits(pass, kTable, now));
}

}  // namespace
}  // namespace tesela::accounts
