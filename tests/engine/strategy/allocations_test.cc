// Strategies take their memory before they search: a choice takes none, however many nodes it has.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "engine/strategy/registry.h"
#include "tests/engine/seeds.h"

namespace {

/// What operator new was asked for in this thread.
thread_local std::uint64_t allocations = 0;

void* allocate(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) {
    return memory;
  }
  throw std::bad_alloc{};
}

}  // namespace

void* operator new(std::size_t bytes) {
  return allocate(bytes);
}
void* operator new[](std::size_t bytes) {
  return allocate(bytes);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}

namespace tesela {
namespace {

using test::dice;

/// How often a choice asks for memory.
template <class G>
std::uint64_t allocations_of(Strategy<G>& strategy, const typename G::State& s,
                             std::uint64_t nodes) {
  Rng rng = dice(nodes);
  const Budget budget{.nodes = nodes};
  const std::uint64_t before = allocations;
  static_cast<void>(strategy.choose(s, *G::turn(s), rng, budget));
  return allocations - before;
}

/// The hints of 2248 are exact: on hard boards they keep the questions that are still open.
bool is_hint(const Description& description) {
  return description.name == "max-path" || description.name == "max-adjacent";
}

/// Every strategy along a game that random moves play. It has chosen once on a board of the size,
/// and is asked about others then.
template <class G>
void check_game(const typename G::Config& config) {
  constexpr int kMoves = 30;
  for (const Registered<G>& registered : strategies<G>()) {
    SCOPED_TRACE(registered.description.name);
    if (is_hint(registered.description)) {
      continue;
    }
    Rng rng = dice(1);
    const auto random = make_strategy<G>("random").value();
    const auto strategy = registered.make({.tree_bytes = 1 << 18});
    auto s = G::start(config, rng).value();
    static_cast<void>(allocations_of<G>(*strategy, s, 100));
    for (int move = 0; move < kMoves && G::turn(s); ++move) {
      for (const std::uint64_t nodes : {0U, 1U, 3'000U}) {
        ASSERT_EQ(allocations_of<G>(*strategy, s, nodes), 0U) << nodes << " nodes, move " << move;
      }
      const Seat seat = *G::turn(s);
      s = G::apply(s, seat, random->choose(s, seat, rng, {}).move, rng, NoStages{}).value();
    }
  }
}

TEST(StrategyAllocations, AreCounted) {
  const std::uint64_t before = allocations;
  const auto strategy = make_strategy<azul::Game>("search");
  EXPECT_GT(allocations, before);
}

TEST(StrategyAllocations, NoneInAChoiceOfAzul) {
  for (std::uint8_t players = azul::kPlayersMin; players <= azul::kPlayersMax; ++players) {
    check_game<azul::Game>({.players = players});
  }
}

TEST(StrategyAllocations, NoneInAChoiceOf2048) {
  check_game<g2048::Game>({});
  check_game<g2048::Game>({.size = g2048::kSizeMax});
}

TEST(StrategyAllocations, NoneInAChoiceOf2248) {
  check_game<g2248::Game>({});
  check_game<g2248::Game>({.rows = g2248::kRowsMax, .columns = g2248::kColumnsMax});
}

TEST(StrategyAllocations, NoneInAChoiceOfSameGame) {
  check_game<samegame::Game>({});
  check_game<samegame::Game>({.setting = {.rows = 30, .columns = 30, .colours = 9}});
}

}  // namespace
}  // namespace tesela
