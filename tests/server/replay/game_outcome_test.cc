// What a finished game counts for.
#include "server/replay/game_outcome.h"

#include <tesela/game/v1/azul.pb.h>
#include <tesela/lobby/v1/lobby.pb.h>

#include <algorithm>
#include <array>
#include <map>

#include "server/base/clock.h"
#include "server/codec/frame.h"
#include "tests/server/tables/table_fixture.h"

namespace tesela::tables {
namespace game_outcome_test {

using store::BoardKey;
using store::BoardKind;

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
constexpr store::Day kDay{std::chrono::days{20'000}};
constexpr std::int64_t kEndedMs = std::int64_t{20'000} * 86'400'000 + 5;

std::string options(bool ranked) {
  lobby::v1::TableOptions options;
  options.set_ranked(ranked);
  return options.SerializeAsString();
}

store::TableRow solo() {
  return {.id = TableId{1},
          .game = "2048",
          .config = "config",
          .options = options(false),
          .seats = {{Seat{0}, kAda, "Ada"}},
          .epoch = Epoch{1},
          .ending = {}};
}

store::TableRow duel() {
  store::TableRow table = solo();
  table.game = "azul";
  table.options = options(true);
  table.seat_count = 2;
  table.seats.push_back({Seat{1}, kBob, "Bob"});
  return table;
}

Result won_by_the_second() {
  Result result{.seats = 2};
  result.standings[0] = {.points = 40, .rank = 2};
  result.standings[1] = {.points = 60, .rank = 1};
  return result;
}

replay::Participation all_played(bool rate_bots = false) {
  replay::Participation participation{.rate_bots = rate_bots};
  participation.played.fill(true);
  return participation;
}

TEST(GameOutcome, ARankedGameMovesTheRatingsOfItsSeats) {
  const auto outcome = replay::outcome_of(duel(), won_by_the_second(), kEndedMs, all_played());
  EXPECT_EQ(outcome.game, "azul");
  ASSERT_EQ(outcome.placings.size(), 2);
  EXPECT_EQ(outcome.placings[0].player, kAda);
  EXPECT_EQ(outcome.placings[0].rank, 2);
  EXPECT_EQ(outcome.placings[1].player, kBob);
  EXPECT_EQ(outcome.placings[1].rank, 1);
  EXPECT_TRUE(outcome.scores.empty());
}

TEST(GameOutcome, PeopleAreRatedAgainstEachOtherAndBotsWhereTheOperatorWantsIt) {
  auto table = duel();
  table.seat_count = 3;
  table.seats.push_back({Seat{2}, bots::account_of("azul", "uct"), "uct", "uct", {}, {}, true});
  Result result = won_by_the_second();
  result.seats = 3;
  result.standings[2] = {.points = 50, .rank = 2};
  EXPECT_EQ(replay::outcome_of(table, result, kEndedMs, all_played()).placings.size(), 2);
  EXPECT_EQ(replay::outcome_of(table, result, kEndedMs, all_played(true)).placings.size(), 3);
  table.seats.erase(table.seats.begin());  // one person and a bot
  EXPECT_TRUE(replay::outcome_of(table, result, kEndedMs, all_played()).placings.empty());
  EXPECT_EQ(replay::outcome_of(table, result, kEndedMs, all_played(true)).placings.size(), 2);
  table.seats.front() = {Seat{1}, bots::account_of("azul", "rush"), "rush", "rush", {}, {}, true};
  EXPECT_EQ(replay::outcome_of(table, result, kEndedMs, all_played()).placings.size(), 2)
      << "bots alone";
}

TEST(GameOutcome, WhoHasLeftRanksBehindWhoHasStayed) {
  auto course = all_played();
  course.left[1] = true;
  const auto outcome = replay::outcome_of(duel(), won_by_the_second(), kEndedMs, course);
  ASSERT_EQ(outcome.placings.size(), 2);
  EXPECT_FALSE(outcome.placings[0].left);
  EXPECT_TRUE(outcome.placings[1].left);
  EXPECT_LT(outcome.placings[0].rank, outcome.placings[1].rank);
}

/// How the ratings change by a duel that the second player wins, of whom one had the better rating.
struct Course {
  const char* what;
  bool left[2];
  bool late[2];
  int first;   // -1: falls, 0: stays, 1: rises
  int second;  // the winner
};

int direction(double change) {
  return change > 0 ? 1 : change < 0 ? -1 : 0;
}

TEST(GameOutcome, TheWinnerNeverLosesAndWhoLeavesNeverGains) {
  constexpr std::array kCourses{
      Course{"both stayed", {false, false}, {false, false}, -1, 1},
      Course{"the loser gave up", {true, false}, {false, false}, -1, 1},
      Course{"the winner left: a strategy won", {false, true}, {false, false}, 1, -1},
      Course{"the winner was late", {false, false}, {false, true}, 0, 0},
      Course{"the loser was late", {false, false}, {true, false}, -1, 1},
      Course{"both were late", {false, false}, {true, true}, 0, 0},
      Course{"the winner was late, the loser gave up", {true, false}, {false, true}, -1, 0},
      Course{"the winner left, the loser was late", {false, true}, {true, false}, 0, -1},
      Course{"both left", {true, true}, {false, false}, -1, 0}};
  for (const Course& course : kCourses) {
    auto participation = all_played();
    std::ranges::copy(course.left, participation.left.begin());
    std::ranges::copy(course.late, participation.late.begin());
    const auto outcome = replay::outcome_of(duel(), won_by_the_second(), kEndedMs, participation);
    for (const double ahead : {0.0, 20.0, -20.0}) {
      const auto before = [ahead](PlayerId player) {
        const double mu = player == kBob ? 25 + ahead : 25;
        return store::RatingRow{.player = player, .rating = {.mu = mu, .sigma = 2}, .games = 90};
      };
      const auto nobody_met = [](PlayerId, PlayerId) { return std::optional<store::Meeting>{}; };
      std::map<PlayerId, store::RatingRow> after;
      for (const auto& row :
           store::after_game(outcome.placings, kDay, before, nobody_met).ratings) {
        after.emplace(row.player, row);
      }
      const auto change = [&](PlayerId player) {
        const auto row = after.find(player);
        if (row == after.end()) return 0;
        return direction(row->second.rating.mu - before(player).rating.mu);
      };
      const auto falls = [&](PlayerId player) {
        const auto row = after.find(player);
        return row != after.end() &&
               store::shown(row->second.rating) < store::shown(before(player).rating);
      };
      EXPECT_EQ(change(kAda), course.first) << course.what << ", " << ahead;
      EXPECT_EQ(change(kBob), course.second) << course.what << ", " << ahead;
      if (course.second >= 0) EXPECT_FALSE(falls(kBob)) << course.what << ", " << ahead;
    }
  }
}

TEST(GameOutcome, WhoseMovesAStrategyMostlyPlayedWasAway) {
  replay::MoveShares shares;
  shares.add(Seat{1}, false);
  shares.add(Seat{1}, true);
  EXPECT_FALSE(shares.mostly_by_strategy(Seat{1}));
  shares.add(Seat{1}, true);
  EXPECT_TRUE(shares.mostly_by_strategy(Seat{1}));
  EXPECT_FALSE(shares.mostly_by_strategy(Seat{0}));
}

TEST(GameOutcome, WhoHasNotPlayedIsNotRated) {
  auto some = all_played();
  some.played[0] = false;
  EXPECT_TRUE(replay::outcome_of(duel(), won_by_the_second(), kEndedMs, some).placings.empty());
  auto table = duel();
  table.seats.push_back({Seat{2}, PlayerId{9}, "Cem"});
  Result result = won_by_the_second();
  result.seats = 3;
  result.standings[2] = {.points = 50, .rank = 2};
  const auto outcome = replay::outcome_of(table, result, kEndedMs, some);
  ASSERT_EQ(outcome.placings.size(), 2) << "the others are rated among each other";
  EXPECT_EQ(outcome.placings[0].player, kBob);
}

TEST(GameOutcome, AGameBetweenFriendsCountsForNothing) {
  auto table = duel();
  table.options = options(false);
  const auto outcome = replay::outcome_of(table, won_by_the_second(), kEndedMs, all_played());
  EXPECT_TRUE(outcome.placings.empty());
  EXPECT_TRUE(outcome.scores.empty());
}

TEST(GameOutcome, AGameForOneCountsForeverAndOnItsDay) {
  const auto outcome = replay::outcome_of(solo(), won_by_the_second(), kEndedMs);
  EXPECT_TRUE(outcome.placings.empty());
  ASSERT_EQ(outcome.scores.size(), 2);
  EXPECT_EQ(outcome.scores[0].board, (BoardKey{BoardKind::kBest, "2048", "config", {}}));
  EXPECT_EQ(outcome.scores[1].board, (BoardKey{BoardKind::kBestOfDay, "2048", "config", kDay}));
  EXPECT_EQ(outcome.scores[1].player, kAda);
  EXPECT_EQ(outcome.scores[1].points, 40);
}

TEST(GameOutcome, HelpAndBotsHaveNoScores) {
  auto helped = solo();
  helped.assisted = true;
  EXPECT_TRUE(replay::outcome_of(helped, won_by_the_second(), kEndedMs).scores.empty());
  auto bot = solo();
  bot.seats.front().strategy = "random";
  EXPECT_TRUE(replay::outcome_of(bot, won_by_the_second(), kEndedMs).scores.empty());
}

TEST(GameOutcome, ATryAtTheDailyGameCountsOnItsDayAlone) {
  auto table = solo();
  table.options = options(true);
  table.daily = kDay;
  const auto outcome = replay::outcome_of(table, won_by_the_second(), kEndedMs);
  ASSERT_EQ(outcome.scores.size(), 1);
  EXPECT_EQ(outcome.scores[0].board, (BoardKey{BoardKind::kDaily, "2048", "config", kDay}));
  table.daily = kDay - std::chrono::days{1};  // its seed is known by now
  EXPECT_TRUE(replay::outcome_of(table, won_by_the_second(), kEndedMs).scores.empty());
}

class CountingTable : public TableTest {
 protected:
  /// Plays a small game of 2048 to its end.
  void play_small() {
    game::v1::Game2048Config config;
    config.set_size(3);
    make_table(config);
    auto ana = sit_down();
    for (int i = 0; row().state != store::TableState::kOver; ++i) {
      send(*ana, legal_move("m" + std::to_string(i)));
      ana->outbox.clear();
    }
  }
  store::TableRow row() { return finish(store.table(id)).value(); }
  std::vector<store::BoardEntry> board(BoardKind kind, std::optional<store::Day> day) {
    return finish(store.board({kind, "2048", row().config, day}, {.max = 10})).value();
  }
};

TEST_F(CountingTable, TheEndOfAGameIsOnTheBoards) {
  play_small();
  const auto ended = base::day_of(row().ending->ended_ms);
  const auto best = board(BoardKind::kBest, {});
  ASSERT_EQ(best.size(), 1);
  EXPECT_EQ(best[0].player, kPlayer);
  EXPECT_EQ(best[0].table, id);
  pb::Result result;
  ASSERT_TRUE(result.ParseFromString(row().ending->result));
  EXPECT_EQ(best[0].points, result.standings(0).points());
  EXPECT_EQ(board(BoardKind::kBestOfDay, ended).size(), 1);
}

TEST_F(CountingTable, ATryAtTodaysGameIsNobodyElsesBusiness) {
  const auto try_at = [this](store::Day day) {
    directory::NewTable wanted{.owner = kPlayer, .owner_name = "Ana", .game = "2048"};
    wanted.daily = directory::DailyDeal{.day = day, .seed = {}};
    id = finish(directory.create(std::move(wanted))).value().id;
    const auto table = finish(directory.open(id)).value();
    Outbox outbox{codec::Protocol::kBinary, [] {}};
    const auto spectator = table->join(outbox, std::nullopt, {});
    if (spectator) table->leave(*spectator);
    settle();
    return spectator;
  };
  const auto today = base::today();
  EXPECT_EQ(try_at(today).error().code, ErrorCode::kNotShownYet);
  EXPECT_TRUE(sit_down()->read().has_welcome());
  EXPECT_TRUE(try_at(today - std::chrono::days{1}));
}

TEST_F(CountingTable, ARankedTableGivesNoHints) {
  game::v1::AzulConfig config;
  config.set_players(2);
  directory::NewTable wanted{
      .owner = kPlayer, .owner_name = "Ana", .game = "azul", .config = google::protobuf::Any{}};
  wanted.config->PackFrom(config);
  wanted.options.set_ranked(true);
  wanted.bots = {{.asker = kPlayer, .strategy = "random", .seat = std::nullopt}};
  id = finish(directory.create(std::move(wanted))).value().id;
  auto ana = sit_down();
  ana->outbox.clear();
  EXPECT_TRUE(ana->table->post(ana->member, codec::HintRequest{.hint_id = "h", .strategy = {}}));
  settle();
  pb::ServerFrame frame;
  // The bot may have moved before.
  for (int i = 0; i < 3 && !frame.has_refusal(); ++i) frame = ana->read();
  EXPECT_EQ(frame.refusal().reason(), pb::REASON_RANKED);
  EXPECT_FALSE(row().assisted);
}

}  // namespace game_outcome_test
}  // namespace tesela::tables
