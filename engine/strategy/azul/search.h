// Azul `search`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/azul/azul.h"
#include "engine/strategy/azul/evaluation.h"
#include "engine/strategy/azul/priors.h"
#include "engine/strategy/node_counter.h"
#include "engine/strategy/strategy.h"

namespace tesela::azul {

/// What of a search can be tuned.
struct SearchSettings {
  float exploration{0.6F};          // how much a move that was seldom tried is preferred
  float prior_temperature{1.5F};    // more than 1: less likely moves count more
  float playout_temperature{0.5F};  // the same in playouts
  std::uint16_t moves_max{24};      // of a node: those that look best
};

/// The tree of one round. A node stands for the move that leads to it.
class RoundTree {
 public:
  using Index = std::uint32_t;
  static constexpr Index kRoot = 0;

  struct Node {
    Index first_child{0};  // the root's number when it has none
    std::uint16_t child_count{0};
    Move move{};
    std::uint32_t visits{0};
    float prior{0};  // how likely the move looked
    Values<kPlayersMax> means{};
  };

  /// Takes the memory at once and never more; room for the root there is always.
  explicit RoundTree(std::size_t bytes);

  void reset();
  [[nodiscard]] const Node& operator[](Index index) const { return nodes_[index]; }
  [[nodiscard]] bool has_room(std::size_t children) const {
    return nodes_.size() + children <= nodes_.capacity();
  }
  /// Gives a node without children its children; there is room.
  void expand(Index parent, std::span<const Node> children);
  void visit(Index index, const Values<kPlayersMax>& values);
  [[nodiscard]] std::span<const Node> children(Index parent) const {
    return std::span{nodes_}.subspan(nodes_[parent].first_child, nodes_[parent].child_count);
  }

 private:
  std::vector<Node> nodes_;
};

/// Looks at the current round alone: a tree of the moves that look best, playouts to the round's
/// end by good-looking moves, and an evaluation of the boards then. Every seat maximises its own
/// share (max^n). Every move played is a node.
class Search final : public Strategy<Game> {
 public:
  static constexpr Description kDescription{
      .name = "search",
      .text = "Plays the round in its mind, and knows what boards are worth.",
      .measure = kShareMeasure,
      .mistake = 0.08,
      .level = 5,
      .thought = Thought::kSearch};

  explicit Search(const StrategyMemory& memory, const SearchSettings& settings = {},
                  const Evaluation& evaluation = learnt_evaluation(),
                  const PriorWeights& priors = learnt_priors())
      : tree_{memory.tree_bytes}, settings_{settings}, evaluation_{evaluation}, priors_{priors} {}

  [[nodiscard]] Choice<Game> choose(const State& view, Seat seat, Rng& rng,
                                    const Budget& budget) override;
  [[nodiscard]] std::vector<Choice<Game>> rank(const State& view, Seat seat, Rng& rng,
                                               const Budget& budget, std::size_t most) override;
  [[nodiscard]] std::vector<Choice<Game>> compare(const State& view, Seat seat, Rng& rng,
                                                  const Budget& budget,
                                                  const Move& played) override;
  [[nodiscard]] std::uint64_t nodes_per_ms(const State& view) const override {
    return 24'000U / view.table.players;
  }

 private:
  /// Searches until the nodes are used up. Then the root has children, if there is room for them.
  void think(const State& root, Rng& rng, const Budget& budget);
  [[nodiscard]] Choice<Game> any_choice(const State& s, Rng& rng) const;
  [[nodiscard]] static Choice<Game> choice_of(const RoundTree::Node& node, Seat seat);
  /// One way down the tree and to the round's end. False when the nodes do not suffice.
  bool grow(const State& root, Rng& rng, NodeCounter& nodes);
  /// Gives a node its children, if there is room.
  void expand(RoundTree::Index index, const State& s);
  [[nodiscard]] RoundTree::Index most_urgent(RoundTree::Index parent, std::size_t seat) const;

  RoundTree tree_;
  SearchSettings settings_;
  const Evaluation& evaluation_;
  const PriorWeights& priors_;
};

}  // namespace tesela::azul
