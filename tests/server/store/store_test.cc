// The contract of Store (server/store/store.h).
#include <vector>

#include "tests/server/store/contract.h"

namespace tesela::store {
namespace store_test {

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
constexpr PlayerId kNobody{9};

class TablesContract : public StoreContract {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
    ASSERT_TRUE(caller().sign_in(kBob, "Bob"));
  }
  /// Reads page after page of `max` tables until one is empty.
  std::vector<TableId> leaf_through(const TableFilter& filter, std::size_t max) {
    std::vector<TableId> all;
    std::optional<TableCursor> after;
    while (true) {
      const auto page = caller().list(filter, after, max);
      EXPECT_LE(page.size(), max);
      if (page.empty()) return all;
      all.insert(all.end(), page.begin(), page.end());
      after = TableCursor{caller().look_at(page.back())->created_ms, page.back()};
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, TablesContract, testing::ValuesIn(kinds()), kind_name);

TEST_P(TablesContract, APlayerIsRemembered) {
  ASSERT_TRUE(caller().sign_in(PlayerId{10}, "Zoë 🀄"));
  reopen();
  const PlayerRow expected{.id = PlayerId{10}, .display_name = "Zoë 🀄", .created_ms = 500};
  EXPECT_EQ(caller().meet(PlayerId{10}), expected);
  EXPECT_EQ(refusal(caller().meet(kNobody)), ErrorCode::kNotFound);
}

TEST_P(TablesContract, AGameMayBeOverAsItsTableIsMade) {
  ASSERT_TRUE(caller().open_table(TableId{1}));
  TableRow over = *caller().look_at(TableId{1});
  const BoardKey board{.kind = BoardKind::kBest, .game = over.game, .config = over.config};
  over.id = TableId{2};
  over.state = TableState::kOver;
  over.ending = Ending{.result = "r", .ended_ms = 5};
  const GameOutcome outcome{.game = over.game,
                            .placings = {},
                            .scores = {{.board = board, .player = kOwner, .points = 3}}};
  ASSERT_TRUE(caller().add_over(over, outcome));
  reopen();
  EXPECT_EQ(caller().look_at(TableId{2}), over);
  EXPECT_EQ(caller().read(TableId{2}), events_of(TableId{2}, Version{1}, Version{1}));
  ASSERT_EQ(caller().board(board).size(), 1);
  EXPECT_EQ(caller().board(board).front().points, 3);
  EXPECT_EQ(caller().board(board).front().table, TableId{2});
}

TEST_P(TablesContract, AGameMayBeOverAsItsTableIsFilledOrWithWhatIsInItsLog) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda}, 1000, "azul", 2));
  TableRow over = *caller().look_at(TableId{1});
  over.seats.push_back({.seat = Seat{1}, .player = kBob, .display_name = "Bob"});
  over.state = TableState::kOver;
  over.ending = Ending{.result = "r", .ended_ms = 5};
  const GameOutcome outcome{.game = over.game, .placings = {{kAda, 1}, {kBob, 2}}};
  ASSERT_TRUE(caller().begin_over(over, outcome));
  EXPECT_EQ(caller().look_at(TableId{1}), over);
  EXPECT_EQ(caller().read(TableId{1}).value().size(), 1);
  EXPECT_EQ(caller().rating(over.game, kAda).games, 1);

  ASSERT_TRUE(caller().open_table(TableId{2}));
  TableRow left = *caller().look_at(TableId{2});
  left.state = TableState::kOver;
  left.ending = over.ending;
  ASSERT_TRUE(caller().change(left));
  reopen();
  EXPECT_EQ(caller().look_at(TableId{2}), left);
  EXPECT_EQ(caller().read(TableId{2}).value().size(), 1);
}

TEST_P(TablesContract, APlayersIdIsTakenOnce) {
  EXPECT_EQ(refusal(caller().sign_in(kAda, "Eve")), ErrorCode::kInternal);
  EXPECT_EQ(caller().meet(kAda)->display_name, "Ada");
}

TEST_P(TablesContract, PlayersAreListedPageByPage) {
  if (GetParam() == Kind::kMemory) GTEST_SKIP() << "it lists no players";
  ASSERT_TRUE(caller().sign_in(PlayerId{10}, "Adam"));
  ASSERT_TRUE(caller().sign_in(PlayerId{11}, "adele"));
  reopen();
  EXPECT_EQ(caller().list_players(),
            (std::vector{PlayerId{11}, PlayerId{10}, kBob, kAda}));  // made in the same instant
  EXPECT_EQ(caller().list_players({}, {}, 2), (std::vector{PlayerId{11}, PlayerId{10}}));
  EXPECT_EQ(caller().list_players({}, PlayerCursor{500, PlayerId{10}}), (std::vector{kBob, kAda}));
  EXPECT_TRUE(caller().list_players({}, PlayerCursor{500, kAda}).empty());
}

TEST_P(TablesContract, PlayersAreFoundByTheBeginningOfTheirNames) {
  if (GetParam() == Kind::kMemory) GTEST_SKIP() << "it lists no players";
  ASSERT_TRUE(caller().sign_in(PlayerId{10}, "Adam"));
  ASSERT_TRUE(caller().sign_in(PlayerId{11}, "adele"));
  ASSERT_TRUE(caller().sign_in(PlayerId{12}, "Zoë 🀄"));
  EXPECT_EQ(caller().list_players("Ad"), (std::vector{kAda, PlayerId{10}}));
  EXPECT_EQ(caller().list_players("Ad", {}, 1), std::vector{kAda});
  const PlayerCursor ada{.created_ms = 500, .id = kAda, .display_name = "Ada"};
  EXPECT_EQ(caller().list_players("Ad", ada), std::vector{PlayerId{10}});
  EXPECT_EQ(caller().list_players("Adam", ada), std::vector{PlayerId{10}});
  EXPECT_EQ(caller().list_players("Zoë 🀄"), std::vector{PlayerId{12}});
  EXPECT_TRUE(caller().list_players("A%").empty());
  EXPECT_TRUE(caller().list_players("Zoë 🀄!").empty());
}

TEST_P(TablesContract, ATableIsWhole) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kBob, kAda}, 2000, "azul"));
  reopen();
  const TableRow expected{.id = TableId{1},
                          .game = "azul",
                          .config = "config",
                          .options = "options",
                          .owner = kOwner,
                          .seed = "seed",
                          .state = TableState::kInPlay,
                          .seat_count = 2,
                          .seats = {{Seat{0}, kBob, "Bob"}, {Seat{1}, kAda, "Ada"}},
                          .epoch = Epoch{1},
                          .created_ms = 2000,
                          .ending = std::nullopt};
  EXPECT_EQ(caller().look_at(TableId{1}), expected);
  EXPECT_EQ(caller().read(TableId{1}), events_of(TableId{1}, Version{1}, Version{1}));
  EXPECT_EQ(refusal(caller().look_at(TableId{2})), ErrorCode::kNotFound);
}

TEST_P(TablesContract, ATableOfAnUnknownPlayerIsNotThere) {
  EXPECT_EQ(refusal(caller().open_table(TableId{1}, {kAda, kNobody})), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(caller().look_at(TableId{1})), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(caller().read(TableId{1})), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(caller().append(TableId{1}, Version{2})), ErrorCode::kNotFound);
  EXPECT_TRUE(caller().open_table(TableId{1}, {kAda}));
}

TEST_P(TablesContract, ATablesIdIsTakenOnce) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda}));
  ASSERT_TRUE(caller().append(TableId{1}, Version{2}));
  EXPECT_EQ(refusal(caller().open_table(TableId{1}, {kBob})), ErrorCode::kInternal);
  EXPECT_EQ(caller().look_at(TableId{1})->seats.front().player, kAda);
  EXPECT_TRUE(caller().append(TableId{1}, Version{3}));
}

TEST_P(TablesContract, ABotSitsWhereABotIsMeantAndNowhereElse) {
  const auto add = [this](PlayerId id, PlayerKind kind) {
    PlayerRow row{.id = id, .display_name = "ext/x", .created_ms = 500, .kind = kind};
    row.identity = "hash";
    ASSERT_TRUE(caller().wait(backend().store().add_player(std::move(row))));
  };
  constexpr PlayerId kBot{20};
  constexpr PlayerId kOfIssuer{21};
  add(kBot, PlayerKind::kBot);
  add(kOfIssuer, PlayerKind::kOfIssuer);
  reopen();
  EXPECT_EQ(caller().meet(kBot)->kind, PlayerKind::kBot);
  EXPECT_EQ(caller().meet(kBot)->identity, "hash");
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda}, 1000, "azul", 3));
  TableRow table = caller().look_at(TableId{1}).value();
  const auto with = [&table](PlayerId player, bool bot) {
    TableRow changed = table;
    changed.seats.push_back(
        {.seat = Seat{1}, .player = player, .display_name = {}, .strategy = "ext/x", .bot = bot});
    return changed;
  };
  EXPECT_EQ(refusal(caller().change(with(kBob, true))), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(caller().change(with(kOfIssuer, true))), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(caller().change(with(kBot, false))), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(caller().open_table(TableId{2}, {kBot})), ErrorCode::kNotFound);
  EXPECT_EQ(caller().look_at(TableId{1}), table);
  ASSERT_TRUE(caller().change(with(kBot, true)));
  table = caller().look_at(TableId{1}).value();
  EXPECT_TRUE(table.seats[1].bot);
  EXPECT_FALSE(table.seats[0].bot);
}

TEST_P(TablesContract, AnOpenTableFillsAndBegins) {
  constexpr TableId kTable{1};
  ASSERT_TRUE(caller().open_table(kTable, {kAda}, 1000, "azul", 3));
  EXPECT_EQ(caller().read(kTable), std::vector<Entry>{});
  TableRow table = caller().look_at(kTable).value();
  EXPECT_EQ(table.state, TableState::kOpen);
  table.seats.push_back({Seat{2}, kBob, "Bob", "greedy", "dice"});
  ASSERT_TRUE(caller().change(table));
  reopen();
  EXPECT_EQ(caller().look_at(kTable), table);
  table.seats.insert(table.seats.begin() + 1, {Seat{1}, kBob, "Bob"});
  ASSERT_TRUE(caller().begin(table));
  EXPECT_EQ(caller().read(kTable), events_of(kTable, Version{1}, Version{1}));
  EXPECT_TRUE(caller().append(kTable, Version{2}));
  reopen();
  table.state = TableState::kInPlay;
  EXPECT_EQ(caller().look_at(kTable), table);
}

TEST_P(TablesContract, AGameBeginsOnce) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda}));
  const TableRow table = caller().look_at(TableId{1}).value();
  EXPECT_EQ(refusal(caller().begin(table)), ErrorCode::kFenced);
  EXPECT_EQ(caller().read(TableId{1}), events_of(TableId{1}, Version{1}, Version{1}));
}

TEST_P(TablesContract, ATableIsChangedByItsOwnerForPlayersThereAre) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda}, 1000, "azul", 2));
  const TableRow before = caller().look_at(TableId{1}).value();
  TableRow changed = before;
  changed.seats = {{Seat{0}, kBob, "Bob"}, {Seat{1}, kNobody, ""}};
  EXPECT_EQ(refusal(caller().begin(changed)), ErrorCode::kNotFound);
  changed.seats.pop_back();
  changed.epoch = Epoch{2};
  EXPECT_EQ(refusal(caller().begin(changed)), ErrorCode::kFenced);
  changed.epoch = Epoch{1};
  changed.id = TableId{2};
  EXPECT_EQ(refusal(caller().change(changed)), ErrorCode::kNotFound);
  EXPECT_EQ(caller().look_at(TableId{1}), before);
  EXPECT_EQ(caller().read(TableId{1}), std::vector<Entry>{});
}

TEST_P(TablesContract, ATableIsMarkedAndClosed) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda}));
  TableRow table = caller().look_at(TableId{1}).value();
  table.assisted = true;
  ASSERT_TRUE(caller().change(table));
  reopen();
  EXPECT_EQ(caller().look_at(TableId{1}), table);
  table.state = TableState::kClosed;
  table.ending = Ending{.result = {}, .ended_ms = 2000};
  ASSERT_TRUE(caller().change(table));
  reopen();
  EXPECT_EQ(caller().look_at(TableId{1}), table);
}

TEST_P(TablesContract, OpenTablesAreFound) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda}, 1000, "azul", 2));
  ASSERT_TRUE(caller().open_table(TableId{2}, {kAda}, 2000, "azul", 1));
  const TableFilter open{.game = {}, .state = TableState::kOpen, .player = {}};
  EXPECT_EQ(caller().list(open), std::vector{TableId{1}});
  ASSERT_TRUE(caller().begin(caller().look_at(TableId{1}).value()));
  EXPECT_EQ(caller().list(open), std::vector<TableId>{});
}

TEST_P(TablesContract, TablesWithBotsAreFound) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda}, 1000));
  ASSERT_TRUE(caller().open_table(TableId{2}, {kAda}, 2000));
  TableRow table = caller().look_at(TableId{2}).value();
  table.seats.front().strategy = "greedy";
  ASSERT_TRUE(caller().change(table));
  EXPECT_EQ(caller().list({.game = {}, .state = {}, .player = {}, .with_bots = true}),
            std::vector{TableId{2}});
}

TEST_P(TablesContract, TablesWithBotsAreListedForAllTogether) {
  TableFilter filter{.game = "azul", .state = {}, .player = {}, .with_bots = true};
  EXPECT_EQ(refusal(caller().wait(backend().store().tables(filter, {}, 10))),
            ErrorCode::kInvalidArgument);
}

TEST_P(TablesContract, OldTablesAreFound) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda}, 1000));
  ASSERT_TRUE(caller().open_table(TableId{2}, {kAda}, 2000));
  ASSERT_TRUE(caller().open_table(TableId{3}, {kAda}, 1500, "azul", 2));
  TableFilter old{.game = {}, .state = {}, .player = {}, .made_before_ms = 2000};
  EXPECT_EQ(caller().list(old), (std::vector{TableId{3}, TableId{1}}));
  EXPECT_EQ(leaf_through(old, 1), (std::vector{TableId{3}, TableId{1}}));
  old.state = TableState::kOpen;
  EXPECT_EQ(caller().list(old), std::vector{TableId{3}});
}

TEST_P(TablesContract, PrivateTablesAreFoundByWhoAsksForThem) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda}));
  ASSERT_TRUE(caller().open_private_table(TableId{2}, kAda, "code"));
  EXPECT_EQ(caller().list(), std::vector{TableId{1}});
  EXPECT_EQ(caller().list({.game = {}, .state = {}, .player = kAda, .private_too = true}),
            (std::vector{TableId{2}, TableId{1}}));
  EXPECT_EQ(caller().look_at(TableId{2})->invite, "code");
}

TEST_P(TablesContract, AClaimRaisesTheEpoch) {
  ASSERT_TRUE(caller().open_table(TableId{1}));
  EXPECT_EQ(caller().look_at(TableId{1})->epoch, Epoch{1});
  EXPECT_EQ(take_over(TableId{1}), Epoch{2});
  reopen();
  EXPECT_EQ(caller().look_at(TableId{1})->epoch, Epoch{2});
  EXPECT_EQ(take_over(TableId{1}), Epoch{3});
  EXPECT_EQ(refusal(take_over(TableId{2})), ErrorCode::kNotFound);
}

TEST_P(TablesContract, TablesAreListedNewestFirst) {
  ASSERT_TRUE(caller().open_table(TableId{5}, {kAda}, 1000));
  ASSERT_TRUE(caller().open_table(TableId{3}, {kAda}, 3000));
  ASSERT_TRUE(caller().open_table(TableId{4}, {kAda}, 2000));
  EXPECT_EQ(caller().list(), (std::vector{TableId{3}, TableId{4}, TableId{5}}));
  EXPECT_EQ(caller().list({}, {}, 2), (std::vector{TableId{3}, TableId{4}}));
  EXPECT_EQ(caller().list({}, {}, 0), std::vector<TableId>{});
}

TEST_P(TablesContract, PagesWithEqualTimesMissNothingAndRepeatNothing) {
  std::vector<TableId> expected;
  for (std::uint64_t id = 25; id > 0; --id) {
    ASSERT_TRUE(caller().open_table(TableId{id}, {kAda}, id < 13 ? 1000 : 2000));
    expected.push_back(TableId{id});
  }
  for (const std::size_t max : {1U, 2U, 7U, 25U, 100U}) {
    EXPECT_EQ(leaf_through({}, max), expected) << max;
    EXPECT_EQ(leaf_through({.game = {}, .state = {}, .player = kAda}, max), expected) << max;
  }
}

TEST_P(TablesContract, FiltersHoldAlone) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda}, 1000, "2048"));
  ASSERT_TRUE(caller().open_table(TableId{2}, {kBob}, 2000, "azul"));
  ASSERT_TRUE(caller().open_table(TableId{3}, {kAda, kBob}, 3000, "azul"));
  ASSERT_TRUE(caller().open_table(TableId{4}, {kAda, kAda}, 4000, "azul"));
  ASSERT_TRUE(caller().end(TableId{3}, Version{2}, {.result = "r", .ended_ms = 1}));
  using Ids = std::vector<TableId>;
  const auto by_game = [](const char* game) { return TableFilter{game, {}, {}}; };
  const auto by_state = [](TableState state) { return TableFilter{{}, state, {}}; };
  const auto by_player = [](PlayerId player) { return TableFilter{{}, {}, player}; };
  EXPECT_EQ(caller().list(by_game("azul")), (Ids{TableId{4}, TableId{3}, TableId{2}}));
  EXPECT_EQ(caller().list(by_game("2248")), Ids{});
  EXPECT_EQ(caller().list(by_state(TableState::kInPlay)),
            (Ids{TableId{4}, TableId{2}, TableId{1}}));
  EXPECT_EQ(caller().list(by_state(TableState::kOver)), Ids{TableId{3}});
  EXPECT_EQ(caller().list(by_player(kAda)), (Ids{TableId{4}, TableId{3}, TableId{1}}));
  EXPECT_EQ(caller().list(by_player(kNobody)), Ids{});
}

TEST_P(TablesContract, FiltersHoldTogether) {
  ASSERT_TRUE(caller().open_table(TableId{1}, {kAda}, 1000, "azul"));
  ASSERT_TRUE(caller().open_table(TableId{2}, {kAda}, 2000, "azul"));
  ASSERT_TRUE(caller().open_table(TableId{3}, {kBob}, 3000, "azul"));
  ASSERT_TRUE(caller().open_table(TableId{4}, {kAda}, 4000, "2048"));
  ASSERT_TRUE(caller().open_table(TableId{5}, {kAda}, 5000, "azul"));
  ASSERT_TRUE(caller().end(TableId{2}, Version{2}, {.result = "r", .ended_ms = 1}));
  const TableFilter filter{.game = "azul", .state = TableState::kInPlay, .player = kAda};
  EXPECT_EQ(caller().list(filter), (std::vector{TableId{5}, TableId{1}}));
  EXPECT_EQ(caller().list(filter, TableCursor{5000, TableId{5}}), std::vector{TableId{1}});
}

TEST_P(TablesContract, AFreshStoreCanBeWritten) {
  EXPECT_TRUE(backend().store().writable());
}

}  // namespace store_test
}  // namespace tesela::store
