// Measures strategies of Azul against each other; by hand.
//   tune_azul SEATS DEALS SEED NAME:NODES NAME:NODES
// The first bot has each seat of a deal in turn, the second one all others.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "engine/strategy/registry.h"
#include "engine/strategy/uct_play.h"
#include "tests/bench/engine/processor_time.h"
#include "tests/engine/seeds.h"

namespace tesela::bench {

using test::seed_of;
namespace {

using azul::Game;
using azul::State;

struct Bot {
  std::string name;
  std::uint64_t nodes;

  explicit Bot(const std::string& text)
      : name{text.substr(0, text.find(':'))},
        nodes{std::strtoull(text.c_str() + text.find(':') + 1, nullptr, 10)} {}

  [[nodiscard]] std::unique_ptr<Strategy<Game>> make() const {
    return make_strategy<Game>(name).value();
  }
};

void match(std::uint8_t seats, std::uint64_t deals, std::uint64_t seed, const Bot& first,
           const Bot& second) {
  double share = 0;
  double squares = 0;
  double points = 0;
  double games = 0;
  double us = 0;
  double moves = 0;
  for (std::uint64_t deal = 0; deal < deals; ++deal) {
    double of_deal = 0;
    for (std::uint8_t mine = 0; mine < seats; ++mine) {
      Rng table{seed_of(seed + deal)};
      Rng own{seed_of(~deal)};
      std::vector<std::unique_ptr<Strategy<Game>>> bots;
      for (std::uint8_t seat = 0; seat < seats; ++seat) {
        bots.push_back((seat == mine ? first : second).make());
      }
      State s = Game::start({.players = seats}, table).value();
      while (!s.over) {
        const std::uint8_t on_turn = s.turn.value;
        const double start = processor_us();
        const auto choice = bots[on_turn]->choose(
            s, s.turn, own, {.nodes = on_turn == mine ? first.nodes : second.nodes});
        if (on_turn == mine) {
          us += processor_us() - start;
          moves += 1;
        }
        s = Game::apply(s, s.turn, choice.move, table, NoStages{}).value();
      }
      of_deal += double{values_of(Game::result(s))[mine]};
      points += s.table.boards[mine].score;
      games += 1;
    }
    of_deal /= seats;
    share += of_deal;
    squares += of_deal * of_deal;
  }
  const auto n = static_cast<double>(deals);
  const double mean = share / n;
  std::printf("%s:%llu against %s:%llu, %d seats: %.1f %% +- %.1f, %.1f points, %.3f ms a move\n",
              first.name.c_str(), static_cast<unsigned long long>(first.nodes), second.name.c_str(),
              static_cast<unsigned long long>(second.nodes), int{seats}, 100 * mean,
              196 * std::sqrt(std::max(0.0, squares / n - mean * mean) / n), points / games,
              us / moves / 1000);
  std::fflush(stdout);
}

}  // namespace
}  // namespace tesela::bench

int main(int argc, char** argv) {
  using namespace tesela::bench;
  const auto number = [&](int index) { return std::strtoull(argv[index], nullptr, 10); };
  if (argc != 6) {
    std::fprintf(stderr, "SEATS DEALS SEED NAME:NODES NAME:NODES\n");
    return 2;
  }
  match(static_cast<std::uint8_t>(number(1)), number(2), number(3), Bot{argv[4]}, Bot{argv[5]});
  return 0;
}
