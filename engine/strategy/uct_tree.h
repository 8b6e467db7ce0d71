// The tree of a UCT search: nodes by move, in one block of memory of the caller's size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tesela {

/// The value of a game for each seat.
template <std::size_t kSeats>
using Values = std::array<float, kSeats>;

/// A node stands for the moves that lead to it, whatever chance did in between (an open loop). Its
/// children are ordered by move.
template <class Move, std::size_t kSeats>
class UctTree {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = std::numeric_limits<Index>::max();
  static constexpr Index kRoot = 0;

  struct Node {
    Move move{};
    Index parent{kNone};
    Index first_child{kNone};
    Index next{kNone};  // the next child of the same parent
    std::uint32_t visits{0};
    Values<kSeats> means{};  // of the values of all visits
  };

  /// Takes the memory at once and never more; room for the root there is always.
  explicit UctTree(std::size_t bytes) {
    const std::size_t fit = bytes / sizeof(Node);
    nodes_.reserve(fit < 1 ? 1 : fit < kNone ? fit : kNone);
    reset();
  }

  /// Nothing but a root without a visit.
  void reset() {
    nodes_.clear();
    nodes_.emplace_back();
  }

  [[nodiscard]] bool has_room() const { return nodes_.size() < nodes_.capacity(); }
  [[nodiscard]] const Node& operator[](Index index) const { return nodes_[index]; }

  /// A new child, behind its sibling `after`, or as the first when that is kNone. There is room.
  Index add(Index parent, Index after, const Move& move) {
    const auto added = static_cast<Index>(nodes_.size());
    Index& link = after == kNone ? nodes_[parent].first_child : nodes_[after].next;
    const Index next = link;
    link = added;
    nodes_.push_back({.move = move, .parent = parent, .next = next});
    return added;
  }

  /// One more visit of a node and all above it.
  void visit(Index leaf, const Values<kSeats>& values) {
    for (Index index = leaf; index != kNone; index = nodes_[index].parent) {
      Node& node = nodes_[index];
      ++node.visits;
      for (std::size_t seat = 0; seat < kSeats; ++seat) {
        node.means[seat] += (values[seat] - node.means[seat]) / static_cast<float>(node.visits);
      }
    }
  }

 private:
  std::vector<Node> nodes_;
};

}  // namespace tesela
