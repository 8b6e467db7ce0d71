#include "server/matchmaking/search.h"

#include <gtest/gtest.h>

namespace tesela::matchmaking {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

class QuietSearch final : public Search {
 public:
  explicit QuietSearch(steady_clock::time_point began)
      : Search({.player = PlayerId{1}, .name = {}, .queue = {}, .began = began}) {}
  void searching(const SearchNews& /*news*/) override {}
  void matched(const store::TableRow& /*table*/) override {}
  void failed(const Error& /*error*/) override {}
};

TEST(SearchesOfAPlayer, TheNewerCountsInWhicheverOrderTheyCome) {
  const auto now = steady_clock::now();
  const QuietSearch older{now - 5s};
  const QuietSearch newer{now};
  EXPECT_TRUE(replaces(newer, older));
  EXPECT_FALSE(replaces(older, newer));
}

TEST(SearchesOfAPlayer, OfTwoOfAboutTheSameAgeTheLastCounts) {
  const auto now = steady_clock::now();
  const QuietSearch one{now - limits::kSearchAgeSlack};
  const QuietSearch other{now};
  EXPECT_TRUE(replaces(one, other));
  EXPECT_TRUE(replaces(other, one));
}

TEST(SearchesOfAPlayer, OneThatHasEndedIsReplacedByAny) {
  const auto now = steady_clock::now();
  const QuietSearch older{now - 5s};
  QuietSearch newer{now};
  newer.leave();
  EXPECT_TRUE(replaces(older, newer));
}

}  // namespace
}  // namespace tesela::matchmaking
