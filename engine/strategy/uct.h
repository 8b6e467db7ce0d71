// UCT: the tree grows where moves look good or were seldom tried, and random games to the end judge
// its leaves. Source: Kocsis and Szepesvári, Bandit Based Monte-Carlo Planning (2006); every seat
// maximises its own value (max^n), and chance is sampled anew on each way down.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "engine/core/rng.h"
#include "engine/strategy/node_counter.h"
#include "engine/strategy/uct_play.h"
#include "engine/strategy/uct_tree.h"

namespace tesela {

/// A playout that takes longer is cut off, for games that need not end. The longest here are far
/// shorter: one of Azul stops with its round.
inline constexpr int kPlayoutMovesMax = 1'000;

/// One search. The tree is the caller's, for its memory.
template <UctPlay Play>
class Uct {
 public:
  using State = typename Play::State;
  using Move = typename Play::Move;
  using Tree = UctTree<Move, Play::kSeats>;

  Uct(Tree& tree, Rng& rng, NodeCounter& nodes) : tree_{tree}, rng_{rng}, nodes_{nodes} {}

  struct Favourite {
    Move move;
    std::optional<double> value{};  // to the seat on turn, the mean over its visits

    friend bool operator==(const Favourite&, const Favourite&) = default;
  };

  /// The move that was visited most; a random one, without a value, when the budget did not suffice
  /// for a single playout; empty when the game is over. Every move played is a node.
  [[nodiscard]] std::optional<Favourite> best_move(const State& root) {
    const std::optional<Seat> mover = Play::turn(root);
    if (!mover) {
      return std::nullopt;
    }
    tree_.reset();
    while (grow(root)) {
    }
    if (const auto favourite = most_visited(mover->value)) {
      return favourite;
    }
    const std::optional<Move> any = Play::random_move(root, rng_);
    return any ? std::optional{Favourite{.move = *any}} : std::nullopt;
  }

 private:
  using Index = typename Tree::Index;

  /// A step down from a node: to a child, or to a new one behind the sibling `after`.
  struct Step {
    std::optional<Move> move;
    Index child{Tree::kNone};
    Index after{Tree::kNone};
  };

  /// One way down, a new node and its playout. False when the budget is used up before its end.
  bool grow(const State& root) {
    State s = root;
    Index at = Tree::kRoot;
    for (bool grown = false; !grown;) {
      const Step step = step_from(at, s);
      if (!step.move) {
        break;
      }
      if (!nodes_.spend()) {
        return false;
      }
      Play::play(s, *step.move, rng_);
      grown = step.child == Tree::kNone;
      at = grown ? tree_.add(at, step.after, *step.move) : step.child;
    }
    if (!play_out(s)) {
      return false;
    }
    const Values<Play::kSeats> values = Play::values(s);
    lowest_ = std::min(lowest_, std::ranges::min(values));
    highest_ = std::max(highest_, std::ranges::max(values));
    tree_.visit(at, values);
    return true;
  }

  /// Any of the moves without a child, as long as there is room for one; else the most urgent of
  /// those that have one. Empty when there is neither.
  Step step_from(Index at, const State& s) {
    Step step;
    const std::optional<Seat> mover = Play::turn(s);
    const float tries = 2 * std::log(static_cast<float>(std::max(tree_[at].visits, 1U)));
    const bool room = tree_.has_room();
    std::uint32_t untried = 0;
    float most_urgent = -std::numeric_limits<float>::infinity();
    Index before = Tree::kNone;
    Index child = tree_[at].first_child;
    Play::moves(s, [&](const Move& move) {
      while (child != Tree::kNone && tree_[child].move < move) {
        before = child;
        child = tree_[child].next;
      }
      if (child == Tree::kNone || tree_[child].move != move) {
        if (room && rng_.uniform(++untried) == 0) {
          step = {.move = move, .after = before};
        }
      } else if (untried == 0) {
        const float urgency = urgency_of(child, mover->value, tries);
        if (urgency > most_urgent) {
          most_urgent = urgency;
          step = {.move = move, .child = child};
        }
      }
    });
    return step;
  }

  [[nodiscard]] float urgency_of(Index child, std::size_t seat, float tries) const {
    const auto& node = tree_[child];
    const float range = highest_ > lowest_ ? highest_ - lowest_ : 1.0F;
    return (node.means[seat] - lowest_) / range +
           Play::kExploration * std::sqrt(tries / static_cast<float>(node.visits));
  }

  /// Random moves to the end. False when the budget is used up before it.
  bool play_out(State& s) {
    for (int played = 0; played < kPlayoutMovesMax; ++played) {
      const std::optional<Move> move = Play::random_move(s, rng_);
      if (!move) {
        break;
      }
      if (!nodes_.spend()) {
        return false;
      }
      Play::play(s, *move, rng_);
    }
    return true;
  }

  [[nodiscard]] std::optional<Favourite> most_visited(std::size_t seat) const {
    Index best = Tree::kNone;
    for (Index child = tree_[Tree::kRoot].first_child; child != Tree::kNone;
         child = tree_[child].next) {
      const bool better = best == Tree::kNone || tree_[child].visits > tree_[best].visits ||
                          (tree_[child].visits == tree_[best].visits &&
                           tree_[child].means[seat] > tree_[best].means[seat]);
      best = better ? child : best;
    }
    if (best == Tree::kNone || tree_[best].visits == 0) {
      return std::nullopt;
    }
    return Favourite{.move = tree_[best].move, .value = tree_[best].means[seat]};
  }

  Tree& tree_;
  Rng& rng_;
  NodeCounter& nodes_;
  float lowest_{std::numeric_limits<float>::infinity()};
  float highest_{-std::numeric_limits<float>::infinity()};
};

}  // namespace tesela
