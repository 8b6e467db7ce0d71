// Measures what moves cost by the values that an analysis compares: the choice of a search of ten
// times the time, which should seldom be called a mistake, and a move drawn at random; by hand.
//   mistakes GAME[:SEATS] MILLISECONDS POSITIONS SEED
// Positions are drawn evenly from games that the strategies of level 2 play.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/strategy/registry.h"
#include "tests/engine/seeds.h"

namespace tesela::bench {

using test::dice;
namespace {

using std::chrono::milliseconds;

template <class G>
const Registered<G>& of(bool (*wanted)(const Description&)) {
  return *std::ranges::find_if(strategies<G>(),
                               [&](const Registered<G>& one) { return wanted(one.description); });
}

/// A position in which somebody is on turn.
template <class G>
typename G::State draw_position(const typename G::Config& config, Rng& rng) {
  const auto player = of<G>([](const Description& one) { return one.level == 2; }).make({});
  std::vector<typename G::State> positions;
  auto s = G::start(config, rng).value();
  for (auto seat = G::turn(s); seat; seat = G::turn(s)) {
    positions.push_back(s);
    const auto move = player->choose(s, *seat, rng, {.nodes = 500}).move;
    s = G::apply(s, *seat, move, rng, NoStages{}).value();
  }
  return positions[rng.uniform(static_cast<std::uint32_t>(positions.size()))];
}

/// What was lost by moves, by how much.
class Losses {
 public:
  /// Of a move that `compared` has among others, unless the search has no value for it.
  template <class Compared, class Move>
  void add(const Compared& compared, const Move& played) {
    const auto found =
        std::ranges::find_if(compared, [&](const auto& choice) { return choice.move == played; });
    if (found != compared.end() && found->value && compared.front().value) {
      losses_.push_back(*compared.front().value - *found->value);
    }
  }

  void print(const char* whose, double mistake) {
    if (losses_.empty()) {
      return;
    }
    std::ranges::sort(losses_);
    const auto percentile = [&](std::size_t percent) {
      return losses_[(losses_.size() - 1) * percent / 100];
    };
    const auto mistakes =
        std::ranges::count_if(losses_, [&](double loss) { return loss >= mistake; });
    std::printf("%s: p50 %.3f p80 %.3f p90 %.3f p95 %.3f, at least %g in %.1f %% of %zu\n", whose,
                percentile(50), percentile(80), percentile(90), percentile(95), mistake,
                100.0 * static_cast<double>(mistakes) / static_cast<double>(losses_.size()),
                losses_.size());
  }

 private:
  std::vector<double> losses_;
};

template <class G>
void measure(const typename G::Config& config, milliseconds time, std::uint64_t positions,
             std::uint64_t seed) {
  const auto& judge = of<G>([](const Description& one) { return one.mistake != 0; });
  Losses of_longer;
  Losses of_random;
  for (std::uint64_t number = 0; number < positions; ++number) {
    Rng rng = dice(seed + number);
    const auto s = draw_position<G>(config, rng);
    const Seat seat = *G::turn(s);
    const auto judged = [&](const typename G::Move& move) {
      return judge.make({})->compare(s, seat, rng, {.time = time}, move);
    };
    const auto longer = judge.make({})->choose(s, seat, rng, {.time = 10 * time}).move;
    of_longer.add(judged(longer), longer);
    const auto random = make_strategy<G>("random").value()->choose(s, seat, rng, {}).move;
    of_random.add(judged(random), random);
  }
  of_longer.print("ten times the time", judge.description.mistake);
  of_random.print("random", judge.description.mistake);
}

}  // namespace
}  // namespace tesela::bench

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: mistakes GAME[:SEATS] MILLISECONDS POSITIONS SEED\n");
    return 2;
  }
  using namespace tesela;
  const std::string name = argv[1];
  const std::chrono::milliseconds time{std::strtoll(argv[2], nullptr, 10)};
  const std::uint64_t positions = std::strtoull(argv[3], nullptr, 10);
  const std::uint64_t seed = std::strtoull(argv[4], nullptr, 10);
  if (name == "2048") {
    bench::measure<g2048::Game>({}, time, positions, seed);
  } else if (name == "2248") {
    bench::measure<g2248::Game>({}, time, positions, seed);
  } else if (name == "samegame") {
    bench::measure<samegame::Game>({}, time, positions, seed);
  } else if (name.starts_with("azul:")) {
    const auto seats = static_cast<std::uint8_t>(std::strtoul(name.c_str() + 5, nullptr, 10));
    bench::measure<azul::Game>({.players = seats}, time, positions, seed);
  } else {
    std::fprintf(stderr, "mistakes: '%s' is none of 2048, 2248, samegame, azul:SEATS\n", argv[1]);
    return 2;
  }
}
