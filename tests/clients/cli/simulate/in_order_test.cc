#include "clients/cli/simulate/in_order.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

namespace tesela::cli {
namespace in_order_test {

TEST(InOrder, ResultsComeInOrderFromAnyNumberOfThreads) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::vector<std::string> taken;
    in_order(
        1000, threads, [](std::uint64_t number) { return std::to_string(number * number); },
        [&](std::uint64_t number, std::string text) {
          EXPECT_EQ(number, taken.size());
          taken.push_back(std::move(text));
        });
    ASSERT_EQ(taken.size(), 1000U);
    EXPECT_EQ(taken[999], "998001");
  }
}

// The first piece of work ends only when the others have got as far ahead as they may.
TEST(InOrder, NobodyRunsFarAhead) {
  std::atomic<std::uint64_t> begun{0};
  std::atomic<std::uint64_t> begun_before_first_end{0};
  in_order(
      4 * kAheadMax, 3,
      [&](std::uint64_t number) {
        ++begun;
        while (number == 0 && begun < kAheadMax) std::this_thread::yield();
        if (number == 0) begun_before_first_end = begun.load();
        return number;
      },
      [](std::uint64_t, std::uint64_t) {});
  EXPECT_EQ(begun_before_first_end, kAheadMax);
  EXPECT_EQ(begun, 4 * kAheadMax);
}

TEST(InOrder, NothingToDo) {
  in_order(
      0, 3, [](std::uint64_t number) { return number; },
      [](std::uint64_t, std::uint64_t) { FAIL(); });
}

}  // namespace in_order_test
}  // namespace tesela::cli
