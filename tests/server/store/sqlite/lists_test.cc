// Lists of tables on SQLite, by every filter.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

TEST(Lists, ATableIsListedByEveryFilterAsItIs) {
  const ScratchFolder folder;
  const auto store = open_sqlite(folder.path());
  Caller caller(*store, *store);
  constexpr PlayerId kAda{7};
  ASSERT_TRUE(caller.sign_in(kAda, "Ada"));
  // A table for each state, public and private, of two games.
  std::uint64_t id = 0;
  for (const char* game : {"2048", "azul"}) {
    for (const bool is_private : {false, true}) {
      for (const auto state :
           {TableState::kInPlay, TableState::kOver, TableState::kOpen, TableState::kClosed}) {
        const TableId table{++id};
        ASSERT_TRUE(caller.open_listed_table(table, kAda, game, is_private, state));
        EXPECT_EQ(caller.look_at(table)->state, state);
      }
    }
  }
  for (const char* game : {"", "2048", "azul"}) {
    for (const std::optional<PlayerId> player : {std::optional<PlayerId>{}, {kAda}, {kOwner}}) {
      for (const bool private_too : {false, true}) {
        for (int state = 0; state <= 4; ++state) {
          TableFilter filter{.game = game, .state = {}, .player = player};
          filter.private_too = private_too;
          if (state != 0) filter.state = static_cast<TableState>(state);
          std::vector<TableId> expected;
          for (std::uint64_t n = id; n >= 1; --n) {
            const auto row = caller.look_at(TableId{n}).value();
            const bool sits = !player || *player == kAda;
            if ((filter.game.empty() || row.game == filter.game) && sits &&
                (private_too || row.invite.empty()) &&
                (!filter.state || row.state == *filter.state)) {
              expected.push_back(TableId{n});
            }
          }
          EXPECT_EQ(caller.list(filter), expected)
              << game << " " << player.has_value() << private_too << state;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tesela::store
