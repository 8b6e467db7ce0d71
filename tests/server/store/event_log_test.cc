// The contract of EventLog (server/store/event_log.h).
#include <string>

#include "tests/server/store/contract.h"

namespace tesela::store {
namespace event_log_test {

constexpr TableId kTable{42};
constexpr TableId kOther{43};
constexpr TableId kUnknown{44};

class EventLogContract : public StoreContract {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller().open_table(kTable));
    ASSERT_TRUE(caller().open_table(kOther));
  }
  /// Appends the versions 2 .. `last`.
  void append_up_to(TableId table, Version last) {
    for (Version version{2}; version <= last; version = next(version)) {
      ASSERT_TRUE(caller().append(table, version));
    }
  }
  void expect_last(TableId table, Version last) {
    EXPECT_EQ(caller().read(table), events_of(table, Version{1}, last));
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, EventLogContract, testing::ValuesIn(kinds()), kind_name);

TEST_P(EventLogContract, ANewTableHasTheRecordOfItsCreation) {
  expect_last(kTable, Version{1});
}

TEST_P(EventLogContract, AppendsAreReadBackInOrder) {
  append_up_to(kTable, Version{50});
  append_up_to(kOther, Version{3});
  expect_last(kTable, Version{50});
  expect_last(kOther, Version{3});
}

TEST_P(EventLogContract, TheLastEventIsTheNewest) {
  EXPECT_EQ(caller().last(kTable).value(), events_of(kTable, Version{1}, Version{1}).front());
  append_up_to(kTable, Version{50});
  const Entry newest{Version{50}, record_of(kTable, Version{50})};
  EXPECT_EQ(caller().last(kTable).value(), newest);
  reopen();
  EXPECT_EQ(caller().last(kTable).value(), newest);
  ASSERT_TRUE(caller().open_table(kUnknown, {kOwner}, 1000, "azul", 2));
  EXPECT_EQ(caller().last(kUnknown).value(), std::nullopt);
  EXPECT_EQ(refusal(caller().last(TableId{45})), ErrorCode::kNotFound);
}

TEST_P(EventLogContract, AGapIsRefused) {
  EXPECT_EQ(refusal(caller().append(kTable, Version{3})), ErrorCode::kFenced);
  expect_last(kTable, Version{1});
  EXPECT_TRUE(caller().append(kTable, Version{2}));
}

TEST_P(EventLogContract, AVersionIsTakenOnce) {
  append_up_to(kTable, Version{3});
  for (const Version taken : {Version{0}, Version{1}, Version{2}, Version{3}}) {
    EXPECT_EQ(refusal(caller().append(kTable, taken)), ErrorCode::kFenced) << taken.value;
  }
  expect_last(kTable, Version{3});
}

TEST_P(EventLogContract, AnUnknownTableIsNotFound) {
  EXPECT_EQ(refusal(caller().append(kUnknown, Version{1})), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(caller().append(kUnknown, Version{2})), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(caller().read(kUnknown)), ErrorCode::kNotFound);
}

TEST_P(EventLogContract, AnotherEpochIsFenced) {
  EXPECT_EQ(refusal(caller().append(kTable, Version{2}, Epoch{0})), ErrorCode::kFenced);
  EXPECT_EQ(refusal(caller().append(kTable, Version{2}, Epoch{2})), ErrorCode::kFenced);
  expect_last(kTable, Version{1});
}

TEST_P(EventLogContract, AClaimShutsTheEarlierOwnerOut) {
  append_up_to(kTable, Version{2});
  EXPECT_EQ(take_over(kTable), Epoch{2});
  EXPECT_EQ(refusal(caller().append(kTable, Version{3}, Epoch{1})), ErrorCode::kFenced);
  EXPECT_TRUE(caller().append(kTable, Version{3}, Epoch{2}));
  EXPECT_EQ(take_over(kTable), Epoch{3});
  EXPECT_EQ(refusal(caller().append(kTable, Version{4}, Epoch{2})), ErrorCode::kFenced);
  expect_last(kTable, Version{3});
}

TEST_P(EventLogContract, AReadGivesTheRangeThatWasAsked) {
  append_up_to(kTable, Version{20});
  EXPECT_EQ(caller().read(kTable, Version{5}, 3), events_of(kTable, Version{5}, Version{7}));
  EXPECT_EQ(caller().read(kTable, Version{19}, 10), events_of(kTable, Version{19}, Version{20}));
  EXPECT_EQ(caller().read(kTable, Version{20}, 1), events_of(kTable, Version{20}, Version{20}));
  EXPECT_EQ(caller().read(kTable, Version{1}, 0), std::vector<Entry>{});
}

TEST_P(EventLogContract, AReadAtTheEndIsEmpty) {
  append_up_to(kTable, Version{3});
  EXPECT_EQ(caller().read(kTable, Version{4}), std::vector<Entry>{});
  EXPECT_EQ(caller().read(kTable, Version{1000}), std::vector<Entry>{});
}

TEST_P(EventLogContract, ARecordIsAnyBytes) {
  const std::string bytes("\0\xff\n'; DROP TABLE events;\0", 26);
  const std::string large(1'000'000, 'x');
  for (const auto& [version, record] :
       {std::pair{Version{2}, bytes}, {Version{3}, std::string{}}, {Version{4}, large}}) {
    ASSERT_TRUE(caller().wait(backend().log().append(
        {.table = kTable, .epoch = Epoch{1}, .version = version, .record = record})));
  }
  reopen();
  const std::vector<Entry> expected{{Version{2}, bytes}, {Version{3}, {}}, {Version{4}, large}};
  EXPECT_EQ(caller().read(kTable, Version{2}), expected);
}

TEST_P(EventLogContract, WhatWasAppendedIsThereAfterReopening) {
  append_up_to(kTable, Version{10});
  ASSERT_EQ(take_over(kTable), Epoch{2});
  reopen();
  expect_last(kTable, Version{10});
  expect_last(kOther, Version{1});
  EXPECT_EQ(refusal(caller().append(kTable, Version{11}, Epoch{1})), ErrorCode::kFenced);
  EXPECT_EQ(refusal(caller().append(kTable, Version{10}, Epoch{2})), ErrorCode::kFenced);
  EXPECT_TRUE(caller().append(kTable, Version{11}, Epoch{2}));
  reopen();
  expect_last(kTable, Version{11});
}

TEST_P(EventLogContract, AnEndingComesWithItsEvent) {
  const Ending ending{.result = std::string("re\0sult", 7), .ended_ms = 1234567890123};
  EXPECT_EQ(refusal(caller().end(kTable, Version{3}, ending)), ErrorCode::kFenced);
  EXPECT_NE(caller().look_at(kTable)->state, TableState::kOver);
  EXPECT_EQ(caller().look_at(kTable)->ending, std::nullopt);

  EXPECT_TRUE(caller().end(kTable, Version{2}, ending));
  reopen();
  EXPECT_EQ(caller().look_at(kTable)->state, TableState::kOver);
  EXPECT_EQ(caller().look_at(kTable)->ending, ending);
  EXPECT_NE(caller().look_at(kOther)->state, TableState::kOver);
  expect_last(kTable, Version{2});
}

}  // namespace event_log_test
}  // namespace tesela::store
