// Ranked games: players who have left, and bots.
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "server/store/rating.h"
#include "tests/server/table/azul_fixture.h"

namespace tesela::tables {
namespace {

class TableRankedTest : public AzulTableTest {
 protected:
  /// A ranked table of Ana's against a bot, whose player has named a strong strategy to play for
  /// her.
  void make_ranked(directory::Directory& of, const char* bot) {
    directory::NewTable wanted{.owner = kPlayer,
                               .owner_name = "Ana",
                               .game = "azul",
                               .config = azul(2),
                               .bots = {{.asker = kPlayer, .strategy = bot, .seat = std::nullopt}}};
    wanted.options.set_ranked(true);
    wanted.options.set_autoplay("uct");
    id = finish(of.create(std::move(wanted))).value().id;
  }
  /// Ana leaves at once, and the game is played to its end without her.
  void play_without_ana(directory::Directory& of) {
    ASSERT_TRUE(finish(of.apply(id, FreeSeat{.asker = kPlayer, .seat = Seat{0}})));
    wait_until([this] { return row().state == store::TableState::kOver; });
  }
  store::RatingRow rating_of(PlayerId player) {
    return finish(store.rating("azul", player)).value();
  }

  directory::Directory rating_bots{[this] {
    auto parts = parts_of(store);
    parts.bot_pace_alone = std::chrono::milliseconds{0};
    parts.rate_bots = true;
    return parts;
  }()};

  ~TableRankedTest() override {
    finish(rating_bots.close_all());
    settle();
  }
};

TEST_F(TableRankedTest, TheWeakestStrategyPlaysForWhoHasLeftWhateverTheTableSays) {
  make_ranked(directory, "random");
  ASSERT_TRUE(finish(directory.apply(id, FreeSeat{.asker = kPlayer, .seat = Seat{0}})));
  EXPECT_EQ(row().seats[0].strategy, "random");
  EXPECT_EQ(bots::autoplay_of(row()), "random");
  wait_until([this] { return row().state == store::TableState::kOver; });
}

TEST_F(TableRankedTest, AGameAgainstBotsAloneMovesNoRatingOfAPerson) {
  make_ranked(directory, "random");
  play_without_ana(directory);
  EXPECT_EQ(rating_of(kPlayer).games, 0U);
  EXPECT_EQ(rating_of(kPlayer).rating, store::kNewcomer);
}

TEST_F(TableRankedTest, WhoHasLeftGainsNothingWhereBotsCount) {
  // The game is a lottery between equals: some of these are won by the seat that was left.
  store::Rating before = store::kNewcomer;
  for (std::uint32_t games = 1; games <= 8; ++games) {
    make_ranked(rating_bots, "random");
    play_without_ana(rating_bots);
    const auto after = rating_of(kPlayer);
    EXPECT_EQ(after.games, games) << "the operator wants it to count";
    EXPECT_LE(after.rating.mu, before.mu);
    EXPECT_LE(store::shown(after.rating), store::shown(before));
    before = after.rating;
  }
}

}  // namespace
}  // namespace tesela::tables
