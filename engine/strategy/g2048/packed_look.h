// A look ahead on the packed boards of 2048.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/g2048/config.h"
#include "engine/g2048/direction.h"
#include "engine/g2048/packed_board.h"
#include "engine/strategy/g2048/evaluation.h"
#include "engine/strategy/node_counter.h"

namespace tesela::g2048 {

/// Mean worths of boards after a move, for one search at a time: a transposition table. An entry is
/// replaced by the next board that hashes to its place.
class WorthCache {
 public:
  /// Takes at most so many bytes, and never more than kBytesMax; room for one entry there is
  /// always.
  explicit WorthCache(std::size_t bytes);

  static constexpr std::size_t kBytesMax = std::size_t{1} << 20U;

  /// Forgets everything, in constant time but for one call in thousands.
  void clear();

  /// A cached value of a board: 16 bytes.
  struct Entry {
    std::uint64_t board{0};
    float worth{0};
    std::uint32_t stamp{0};  // search, depth and limited; less than that of any later search

    /// Whether a deeper look would find something else.
    [[nodiscard]] bool limited() const { return (stamp & 1U) != 0; }
  };

  /// A board that was looked into at least as deep; null when there is none.
  [[nodiscard]] const Entry* find(std::uint64_t board, int depth) const {
    const Entry& entry = entries_[place(board)];
    return entry.board == board && entry.stamp >= stamp(depth) ? &entry : nullptr;
  }
  /// Makes a later find() of the board faster.
  void prefetch(std::uint64_t board) const { __builtin_prefetch(&entries_[place(board)]); }
  void store(std::uint64_t board, int depth, bool limited, float worth) {
    entries_[place(board)] = {
        .board = board, .worth = worth, .stamp = stamp(depth) | (limited ? 1U : 0U)};
  }

 private:
  static constexpr unsigned kDepthBits = 8;

  [[nodiscard]] std::uint32_t stamp(int depth) const {
    return search_ << kDepthBits | static_cast<std::uint32_t>(depth) << 1U;
  }
  [[nodiscard]] std::size_t place(std::uint64_t board) const {
    return static_cast<std::size_t>((board * 0x9e3779b97f4a7c15U) >> shift_);
  }

  std::vector<Entry> entries_;
  unsigned shift_{};
  std::uint32_t search_{1};
};

/// The limits of a look.
struct Horizon {
  int depth{};         // moves
  float chance_min{};  // boards with a lower probability are evaluated without a search
};

/// Means over the spawns and maxima over the moves, down to a horizon. Every move tried is a node.
class PackedLook {
 public:
  /// `config` has the weights of spawns that a packed board can hold. All must outlive it.
  PackedLook(const RowWorths& worths, WorthCache& cache, const Config& config, NodeCounter& nodes);

  /// Of a board (PackedBoard::bits()) that a move has led to, the move counted. Worthless once
  /// is_over().
  [[nodiscard]] float after_move(std::uint64_t moved, const Horizon& horizon);

  /// Whether the nodes are used up.
  [[nodiscard]] bool is_over() const { return over_; }
  /// Whether a board was evaluated because of the depth since the last call. Otherwise a deeper
  /// look would not change the values.
  [[nodiscard]] bool take_reached_depth();

 private:
  struct Spawn {
    std::uint64_t exponent;
    float chance;
  };
  /// The boards that legal moves lead to.
  struct Moves {
    std::array<std::uint64_t, kDirections.size()> boards;
    std::size_t count;
  };

  float mean(std::uint64_t moved, int depth, float chance);
  /// Over the spawns of `exponent` on the `empty` cells, the sum of the best move's worth: of moves
  /// that are the last of the look, and of moves that are looked into.
  float sum_of_last(std::uint64_t moved, std::uint64_t empty, std::uint64_t exponent, float chance);
  float sum_of_most(std::uint64_t moved, std::uint64_t empty, std::uint64_t exponent, int depth,
                    float chance);
  /// Of a board. The cache is asked for them soon.
  void find_moves(std::uint64_t board, Moves& moves) const;
  [[nodiscard]] float worth_of(std::uint64_t board) const;
  [[nodiscard]] bool is_won(std::uint64_t moved) const;

  const RowWorths& worths_;
  WorthCache& cache_;
  NodeCounter& nodes_;
  std::array<Spawn, kWeightsMax> spawns_{};
  std::size_t spawn_count_;
  std::size_t likeliest_{0};  // of the spawns
  Exponent objective_;
  bool stops_at_objective_;
  float chance_min_{};
  bool over_{false};
  bool reached_depth_{false};
};

}  // namespace tesela::g2048
