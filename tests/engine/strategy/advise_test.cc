// What a hint shows of what a strategy ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "engine/g2048/g2048.h"
#include "engine/strategy/advise.h"
#include "engine/strategy/registry.h"
#include "engine/strategy/strategy.h"
#include "tests/engine/g2048/position.h"
#include "tests/engine/seeds.h"

namespace tesela::g2048 {
namespace {

using Choices = std::vector<Choice<Game>>;

State a_position() {
  return test::position(R"(
      .    .    .    .
      .    2    4    .
      .    8    2    .
      .    .    .    . )");
}

/// Ranks what it is told to.
class Ranking final : public Strategy<Game> {
 public:
  explicit Ranking(Choices choices) : choices_{std::move(choices)} {}

  Choice<Game> choose(const State& /*view*/, Seat /*seat*/, Rng& /*rng*/,
                      const Budget& /*budget*/) override {
    return choices_.front();
  }
  Choices rank(const State& /*view*/, Seat /*seat*/, Rng& /*rng*/, const Budget& /*budget*/,
               std::size_t most) override {
    return {choices_.begin(),
            choices_.begin() + static_cast<std::ptrdiff_t>(std::min(most, choices_.size()))};
  }

 private:
  Choices choices_;
};

Choices advice_of(Choices ranked, std::size_t most) {
  Ranking ranking{std::move(ranked)};
  Rng rng = test::dice(1);
  return advise(ranking, a_position(), Seat{0}, rng, {.nodes = 1}, most);
}

constexpr Move kLeft{Direction::kLeft};
constexpr Move kRight{Direction::kRight};
constexpr Move kUp{Direction::kUp};
constexpr Move kDown{Direction::kDown};

TEST(Advice, TheChoiceIsFirstAndTheOthersFollowByTheirValues) {
  const Choices ranked{{kLeft, 10}, {kUp, 3}, {kRight, 7}, {kDown, 9}};
  EXPECT_EQ(advice_of(ranked, 4), (Choices{{kLeft, 10}, {kDown, 9}, {kRight, 7}, {kUp, 3}}));
  EXPECT_EQ(advice_of(ranked, 3), (Choices{{kLeft, 10}, {kRight, 7}, {kUp, 3}}))
      << "of the three that are ranked first";
  EXPECT_EQ(advice_of(ranked, 1), (Choices{{kLeft, 10}}));
}

TEST(Advice, AMoveThatWasTriedTooSeldomIsLeftOut) {
  EXPECT_EQ(advice_of({{kLeft, 10}, {kUp, 12}, {kRight, {}}, {kDown, 10}}, 4),
            (Choices{{kLeft, 10}, {kDown, 10}}));
  EXPECT_EQ(advice_of({{kLeft, {}}, {kUp, 12}, {kRight, {}}}, 4), (Choices{{kLeft, {}}}))
      << "nothing can be compared with a choice without a value";
}

TEST(Advice, AStrategyThatComparesNoMovesGivesItsChoice) {
  Rng rng = test::dice(1);
  Rng same = test::dice(1);
  const State s = a_position();
  const auto merger = make_strategy<Game>("merger").value();
  const Choices advice = advise(*merger, s, Seat{0}, rng, {.nodes = 1}, 3);
  EXPECT_EQ(advice, Choices{merger->choose(s, Seat{0}, same, {.nodes = 1})});
}

TEST(Advice, NoneWhenTheGameIsOver) {
  const State over = test::position(R"(
      2 4 2 4
      4 2 4 2
      2 4 2 4
      4 2 4 2 )");
  Rng rng = test::dice(1);
  const auto search = make_strategy<Game>("expectimax").value();
  EXPECT_TRUE(advise(*search, over, Seat{0}, rng, {.nodes = 100}, 3).empty());
}

TEST(Measures, AreReadAsTheirStrategiesMeanThem) {
  EXPECT_EQ(reading_of(kWorthMeasure), Reading::kRelative);
  EXPECT_EQ(reading_of(kShareMeasure), Reading::kShare);
  EXPECT_EQ(reading_of("points at the end"), Reading::kCount);
}

}  // namespace
}  // namespace tesela::g2048
