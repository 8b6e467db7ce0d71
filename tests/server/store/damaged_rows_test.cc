// Numbers in rows that nobody has written are found as damage: none becomes another number.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/server/store/contract.h"

namespace tesela::store {
namespace damaged_rows_test {

constexpr TableId kTable{42};
constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
/// Cut off from a number that is stored in 32 bits.
constexpr std::int64_t kMore = std::int64_t{1} << 32;

class DamagedRowsContract : public StoreContract {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
    ASSERT_TRUE(caller().open_table(kTable, {kAda}));
  }
  /// The column holds `more` than before, past what the schema checks.
  void add(const std::string& table, const std::string& column, std::int64_t more) {
    const bool on_sqlite = GetParam() == Kind::kSqlite;
    backend().run((on_sqlite ? "PRAGMA ignore_check_constraints = 1; UPDATE "
                             : "ALTER TABLE " + table + " DROP CONSTRAINT IF EXISTS " + table +
                                   "_" + column + "_check; UPDATE ") +
                  table + " SET " + column + " = " + column + " + " + std::to_string(more));
  }

 public:
  std::optional<ErrorCode> read_table() { return refusal(caller().look_at(kTable)); }
  std::optional<ErrorCode> read_page() {
    return refusal(caller().wait(backend().store().tables({}, std::nullopt, 10)));
  }
  std::optional<ErrorCode> read_player() { return refusal(caller().meet(kAda)); }
};

INSTANTIATE_TEST_SUITE_P(Stores, DamagedRowsContract, testing::ValuesIn(databases()), kind_name);

TEST_P(DamagedRowsContract, ANumberOutOfItsRangeIsDamageAndNoOtherNumber) {
  struct Change {
    std::string table;
    std::string column;
    int more;
    std::optional<ErrorCode> (DamagedRowsContract::*read)();
  };
  using Test = DamagedRowsContract;
  for (const auto& [table, column, more, read] :
       std::vector<Change>{{"tables", "state", 256, &Test::read_table},
                           {"tables", "state", 8, &Test::read_table},
                           {"tables", "seat_count", 256, &Test::read_table},
                           {"tables", "seat_count", 256, &Test::read_page},
                           {"seats", "seat", 256, &Test::read_table},
                           {"seats", "contribution_state", 256, &Test::read_table},
                           {"seats", "contribution_state", 8, &Test::read_table},
                           {"players", "kind", 256, &Test::read_player},
                           {"players", "kind", -3, &Test::read_player}}) {
    add(table, column, more);
    EXPECT_EQ((this->*read)(), ErrorCode::kCorrupt) << table << "." << column << " " << more;
    add(table, column, -more);
    EXPECT_EQ((this->*read)(), std::nullopt) << table << "." << column;
  }
  EXPECT_TRUE(backend().store().writable());
}

// The end of a game changes the ratings of its players.
TEST_P(DamagedRowsContract, AGameThatNeedsADamagedRatingIsRefusedAndNoOther) {
  const auto end = [&](TableId table) {
    GameOutcome outcome{.game = "azul", .placings = {{kAda, 1}, {kBob, 2}}};
    return refusal(
        caller().end(table, Version{2}, {.result = "r", .ended_ms = 1}, std::move(outcome)));
  };
  ASSERT_TRUE(caller().sign_in(kBob, "Bob"));
  for (const TableId table : {TableId{1}, TableId{2}, TableId{3}}) {
    ASSERT_TRUE(caller().open_table(table, {kAda, kBob}));
  }
  ASSERT_EQ(end(TableId{1}), std::nullopt);
  std::uint64_t last = 1;
  for (const auto& [table, column] :
       {std::pair{"ratings", "games"}, std::pair{"ratings", "opponents"},
        std::pair{"meetings", "games"}}) {
    add(table, column, kMore);
    EXPECT_EQ(end(TableId{2}), ErrorCode::kCorrupt) << table << "." << column;
    EXPECT_TRUE(backend().store().writable());
    EXPECT_TRUE(caller().append(TableId{3}, Version{++last}));
    add(table, column, -kMore);
  }
  EXPECT_EQ(end(TableId{2}), std::nullopt);
}

}  // namespace damaged_rows_test
}  // namespace tesela::store
