#include "clients/cli/games/samegame/samegame_solver.h"

#include <gtest/gtest.h>

#include "clients/cli/base/value_text.h"

namespace tesela::cli {
namespace solver_test {

using samegame::Game;

Bot<Game> bot(const char* text, const BotBudget& otherwise = kDefaultBotBudget) {
  return bot_of<Game>(read_bot(text).value(), otherwise).value();
}

/// Three groups of two and one of three.
samegame::Config position() {
  return {.setting = {.rows = 3, .columns = 3}, .cells = {1, 1, 2, 3, 3, 2, 4, 4, 4}};
}

TEST(SameGameSolver, AMoveGetsItsShareOfWhatIsLeft) {
  Rng rng{Seed{}};
  const auto s = Game::start(position(), rng).value();
  const Budget share = share_of({.time = std::chrono::microseconds{100}, .nodes = 50}, s);
  EXPECT_EQ(share.time, std::chrono::microseconds{20}) << "four groups, and one more";
  EXPECT_EQ(share.nodes, 10U);
  const Budget none = share_of({}, s);
  EXPECT_EQ(none.time, kNoTimeLimit);
  EXPECT_EQ(none.nodes, kNoNodeLimit);
}

/// The score of a list of moves, by the rules alone.
std::int32_t replayed(const samegame::Config& position, const Solution& solution) {
  Rng rng{Seed{}};
  auto s = Game::start(position, rng).value();
  for (const samegame::Move& move : solution.moves) {
    s = Game::apply(s, Seat{0}, move, rng, NoStages{}).value();
  }
  EXPECT_FALSE(Game::turn(s).has_value());
  return samegame::score(s);
}

TEST(SameGameSolver, ItsMovesGiveItsScore) {
  const GameSeeds seeds{.game = {}, .bots = read_seed("x")};
  for (const char* text : {"random", "colour-priority", "uct"}) {
    const Solution whole = solve(position(), bot(text), seeds);
    EXPECT_EQ(whole.score, replayed(position(), whole)) << text;
    EXPECT_EQ(whole.cleared, whole.score >= 1000) << text;
    const Solution by_moves = solve_by_moves(position(), bot(text), seeds);
    EXPECT_EQ(by_moves.score, replayed(position(), by_moves)) << text;
  }
}

TEST(SameGameSolver, SameSeedsAndNodesGiveTheSameMoves) {
  const GameSeeds seeds{.game = read_seed("y"), .bots = read_seed("x")};
  const Solution one = solve({}, bot("uct"), seeds);
  EXPECT_GT(one.moves.size(), 30U);
  EXPECT_EQ(solve({}, bot("uct"), seeds).moves, one.moves);
}

TEST(SameGameSolver, KeepsToTheTimeOfAPosition) {
  const auto solution =
      solve({}, bot("uct", {.time = std::chrono::milliseconds{500}}), {.game = {}, .bots = {}});
  EXPECT_GT(solution.time, std::chrono::milliseconds{300});
  // So much for each of its fifty moves would be 25 s; and the machine may be busy.
  EXPECT_LT(solution.time, std::chrono::seconds{10});
}

}  // namespace solver_test
}  // namespace tesela::cli
