// A log of which events are missing is refused, wherever they are missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/server/store/contract.h"

namespace tesela::store {
namespace missing_events_test {

using testing::HasSubstr;

constexpr TableId kTable{42};
constexpr TableId kWhole{43};
constexpr Version kLast{50};

class MissingEventsContract : public StoreContract {
 protected:
  MissingEventsContract() {
    for (const TableId table : {kTable, kWhole}) {
      EXPECT_TRUE(caller().open_table(table));
      for (Version version{2}; version < kLast; version = next(version)) {
        EXPECT_TRUE(caller().append(table, version));
      }
      EXPECT_TRUE(caller().end(table, kLast, {.result = "r", .ended_ms = 5000}));
    }
    reopen();
  }
  void lose(Version version) {
    reopen_after("DELETE FROM events WHERE table_id = 42 AND version = " +
                 std::to_string(version.value));
  }
  void expect_missing(const auto& read, Version version) {
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(read.error().message,
                HasSubstr("version " + std::to_string(version.value) + " is missing"));
  }
  auto page(Version from, std::size_t max) {
    return caller().wait(backend().log().read(kTable, from, max));
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, MissingEventsContract, testing::ValuesIn(databases()), kind_name);

TEST_P(MissingEventsContract, OneInTheMiddleIsFoundByEachReadThatMeetsIt) {
  lose(Version{25});
  expect_missing(page(Version{1}, 1000), Version{25});
  expect_missing(page(Version{1}, 25), Version{25});
  expect_missing(page(Version{25}, 1), Version{25});
  EXPECT_EQ(page(Version{26}, 1000).value(), events_of(kTable, Version{26}, kLast));
  EXPECT_EQ(caller().last(kTable).value()->version, kLast);
  EXPECT_EQ(caller().read(kWhole, Version{1}, 1000), events_of(kWhole, Version{1}, kLast));
}

TEST_P(MissingEventsContract, TheLastOnesAreFound) {
  lose(kLast);
  expect_missing(page(Version{1}, 1000), kLast);
  expect_missing(page(kLast, 1), kLast);
  expect_missing(caller().last(kTable), kLast);
  EXPECT_EQ(page(Version{1}, 49).value(), events_of(kTable, Version{1}, Version{49}));
  EXPECT_EQ(page(Version{51}, 10).value(), std::vector<Entry>{});
}

TEST_P(MissingEventsContract, AllOfThemAreFound) {
  reopen_after("DELETE FROM events WHERE table_id = 42");
  expect_missing(page(Version{1}, 1000), Version{1});
  expect_missing(caller().last(kTable), Version{1});
}

}  // namespace missing_events_test
}  // namespace tesela::store
