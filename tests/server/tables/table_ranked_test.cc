// Ranked games: players who have left, and bots.
#include <array>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "server/store/rating.h"
#include "tests/server/tables/azul_fixture.h"

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
  /// Ana moves when it is her turn.
  void move_once(directory::Directory& of) {
    Client ana;
    ana.table = finish(of.open(id)).value();
    ana.member = ana.table->join(ana.outbox, kPlayer, {.token = {}, .last_version = {}}).value();
    move(ana, 0);
  }
  /// Moves when it is this seat's turn.
  void move(Client& client, std::uint32_t seat) {
    const auto frame = next(client, [&](const pb::ServerFrame& it) {
      const auto& turn = it.has_event() ? it.event().turn() : it.snapshot().turn();
      return turn.seats_size() > 0 && turn.seats(0) == seat;
    });
    game::v1::AzulEvent event;
    if (frame.has_event()) {
      ASSERT_TRUE(frame.event().body().UnpackTo(&event));
    }
    const auto view = frame.has_event() ? event.view() : azul_view_of(frame);
    send(client, first_move(view, "only"));
  }
  /// A ranked table of Ana and Bob. The first seat is random.
  void make_duel(std::uint32_t move_ms = 0) {
    lobby::v1::TableOptions options;
    options.set_ranked(true);
    if (move_ms > 0) options.mutable_clock()->set_move_ms(move_ms);
    make_azul(2, options);
    ASSERT_TRUE(take(kBob));
    clients = {come(kPlayer), come(kBob)};
    const auto watcher = watch();
    first = next(*watcher, &pb::ServerFrame::has_snapshot).snapshot().turn().seats(0);
  }
  void resign(std::uint32_t seat) {
    send(*clients[seat],
         {.move_id = "r", .at_version = {}, .type = {}, .body = {}, .act = codec::Act::kResign});
    ASSERT_EQ(row().state, store::TableState::kOver);
  }
  std::vector<std::uint32_t> games_rated() {
    return {rating_of(kPlayer).games, rating_of(kBob).games};
  }
  /// Ana leaves, and the game is played to its end without her.
  void play_without_ana(directory::Directory& of) {
    ASSERT_TRUE(finish(of.apply(id, FreeSeat{.asker = kPlayer, .seat = Seat{0}})));
    wait_until([this] { return row().state == store::TableState::kOver; });
  }
  store::RatingRow rating_of(PlayerId player) {
    return finish(store.rating("azul", player)).value();
  }

  std::array<std::unique_ptr<Client>, 2> clients{};  // of a duel, by their seats
  std::uint32_t first = 0;                           // the seat that begins
  directory::Directory rating_bots{[this] {
    auto parts = parts_of(store);
    parts.bot_pace_alone = std::chrono::milliseconds{0};
    parts.rate_bots = true;
    return parts;
  }()};

  ~TableRankedTest() override {
    clients = {};
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
    move_once(rating_bots);
    play_without_ana(rating_bots);
    const auto after = rating_of(kPlayer);
    EXPECT_EQ(after.games, games) << "the operator wants it to count";
    EXPECT_LE(after.rating.mu, before.mu);
    EXPECT_LE(store::shown(after.rating), store::shown(before));
    before = after.rating;
  }
}

TEST_F(TableRankedTest, AGameIsRatedOnceBothHaveMoved) {
  using Games = std::vector<std::uint32_t>;
  for (const int moves : {0, 1, 2}) {
    make_duel();
    for (int n = 0; n < moves; ++n) move(*clients[(first + n) % 2], (first + n) % 2);
    resign(1 - first);
    EXPECT_EQ(games_rated(), moves == 2 ? Games({1, 1}) : Games({0, 0})) << moves;
  }
}

TEST_F(TableRankedTest, WhoseTimeRanOutHasBeenAskedToMove) {
  make_duel(1000);
  move(*clients[1 - first], 1 - first);
  resign(first);
  EXPECT_EQ(games_rated(), std::vector<std::uint32_t>({1, 1}));
}

}  // namespace
}  // namespace tesela::tables
