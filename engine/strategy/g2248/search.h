// 2248 `search`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/g2248/g2248.h"
#include "engine/strategy/capped.h"
#include "engine/strategy/g2248/outlook.h"
#include "engine/strategy/node_counter.h"
#include "engine/strategy/strategy.h"

namespace tesela::g2248 {

/// What of a search can be tuned.
struct SearchSettings {
  OutlookWeights outlook{kOutlook};
  std::size_t candidates_max{10};
  int depth{4};          // moves that a playout looks ahead
  float exploration{1};  // how much a move that was seldom tried is preferred, in doublings
  float lost{-10};       // the value of a playout that ends the game
};

/// Plays for the score of many moves: so that chains are left after the refills, of tiles that can
/// still grow. Chains of all kinds and the booster are judged by the board that they leave
/// (outlook.h); the best of them are tried in playouts with drawn refills, which go on the
/// same way. A chain that is judged is a node. Takes no memory worth speaking of.
class Search final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{
      .name = "search",
      .text = "Keeps the board playable and lets the tiles grow.",
      .measure = "doublings to come",
      .mistake = 40,
      .level = 5,
      .thought = Thought::kSearch};

  Search() : Search{SearchSettings{}} {}
  explicit Search(const SearchSettings& settings);

  [[nodiscard]] Choice<Game> choose(const State& view, Seat seat, Rng& rng,
                                    const Budget& budget) override;
  [[nodiscard]] std::vector<Choice<Game>> rank(const State& view, Seat seat, Rng& rng,
                                               const Budget& budget, std::size_t most) override;
  [[nodiscard]] std::vector<Choice<Game>> compare(const State& view, Seat seat, Rng& rng,
                                                  const Budget& budget,
                                                  const Move& played) override;
  [[nodiscard]] std::uint64_t nodes_per_ms(const State& view) const override {
    return 200'000 / (20 + view.board.size());
  }

 private:
  /// A move that is tried.
  struct Candidate {
    Move move;
    Exponent value{0};  // of the chain; 0 of the booster
    float outlook{0};
    std::uint32_t tries{0};
    double mean{0};
  };

  /// Finds the candidates of a game in play, the best first, with `also` among them if it is given.
  void think(const State& view, Rng& rng, const Budget& budget, const Move* also = nullptr);
  [[nodiscard]] std::vector<Choice<Game>> best_of_candidates(std::size_t most) const;
  [[nodiscard]] static Choice<Game> choice_of(const Candidate& candidate);
  template <class Bits, std::size_t Capacity>
  void search_on(const BoardOf<Capacity>& board, Rng& rng, NodeCounter& nodes, const Move* also);
  void add(const Move& move, Exponent value, float outlook);
  [[nodiscard]] std::size_t most_urgent(std::uint64_t tries) const;

  SearchSettings settings_;
  std::vector<Candidate> candidates_;
};

inline constexpr Description kOutlookDescription{.name = "outlook",
                                                 .text = "The chain that leaves the best board.",
                                                 .measure = Search::kDescription.measure,
                                                 .level = 4,
                                                 .thought = Thought::kSearch};
using OutlookStrategy = Capped<Game, Search, 400, kOutlookDescription>;

}  // namespace tesela::g2248
