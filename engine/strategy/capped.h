// A search that thinks no further than so many moves, for a weaker level.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/strategy/strategy.h"

namespace tesela {

/// Plays as `S` does with at most `kNodes` nodes a move, under the name of `kAs`.
template <Game G, class S, std::uint64_t kNodes, const Description& kAs>
class Capped final : public Strategy<G> {
 public:
  static constexpr Description kDescription = kAs;

  explicit Capped(const StrategyMemory& memory)
    requires std::constructible_from<S, const StrategyMemory&>
      : search_{memory} {}
  Capped() = default;

  [[nodiscard]] Choice<G> choose(const typename G::State& view, Seat seat, Rng& rng,
                                 const Budget& budget) override {
    return search_.choose(view, seat, rng, capped(budget));
  }
  [[nodiscard]] std::vector<Choice<G>> rank(const typename G::State& view, Seat seat, Rng& rng,
                                            const Budget& budget, std::size_t most) override {
    return search_.rank(view, seat, rng, capped(budget), most);
  }
  [[nodiscard]] std::vector<Choice<G>> compare(const typename G::State& view, Seat seat, Rng& rng,
                                               const Budget& budget,
                                               const typename G::Move& played) override {
    return search_.compare(view, seat, rng, capped(budget), played);
  }
  [[nodiscard]] std::uint64_t nodes_per_ms(const typename G::State& view) const override {
    return search_.nodes_per_ms(view);
  }
  [[nodiscard]] std::vector<typename G::Move> plan() const override { return search_.plan(); }
  void resume(const typename G::State& view, std::span<const typename G::Move> plan) override {
    search_.resume(view, plan);
  }

 private:
  [[nodiscard]] static Budget capped(Budget budget) {
    budget.nodes = std::min(budget.nodes, kNodes);
    return budget;
  }

  S search_;
};

}  // namespace tesela
