#include "engine/strategy/g2048/packed_look.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <utility>

#include "engine/strategy/g2048/last_moves.h"

namespace tesela::g2048 {

WorthCache::WorthCache(std::size_t bytes)
    : entries_(
          std::bit_floor(std::max(std::min(bytes, kBytesMax) / sizeof(Entry), std::size_t{2}))),
      shift_{64U - static_cast<unsigned>(std::countr_zero(entries_.size()))} {}

void WorthCache::clear() {
  constexpr std::uint32_t kSearchesMax = std::numeric_limits<std::uint32_t>::max() >> kDepthBits;
  if (++search_ == kSearchesMax) {
    std::ranges::fill(entries_, Entry{});
    search_ = 1;
  }
}

PackedLook::PackedLook(const RowWorths& worths, WorthCache& cache, const Config& config,
                       NodeCounter& nodes)
    : worths_{worths},
      cache_{cache},
      nodes_{nodes},
      spawn_count_{config.weight_count},
      objective_{config.objective},
      stops_at_objective_{config.stop_at_objective} {
  for (std::size_t index = 0; index < spawn_count_; ++index) {
    const SpawnWeight& weight = config.weights[index];
    spawns_[index] = {.exponent = weight.exponent,
                      .chance = static_cast<float>(weight.per_mille) / float{kPerMille}};
    likeliest_ = spawns_[index].chance > spawns_[likeliest_].chance ? index : likeliest_;
  }
  cache_.clear();
}

float PackedLook::after_move(std::uint64_t moved, const Horizon& horizon) {
  chance_min_ = horizon.chance_min;
  return mean(moved, horizon.depth - 1, 1.0F);
}

bool PackedLook::take_reached_depth() {
  return std::exchange(reached_depth_, false);
}

float PackedLook::mean(std::uint64_t moved, int depth, float chance) {
  if (stops_at_objective_ && is_won(moved)) {
    return static_cast<float>(kWonWorth);
  }
  if (depth <= 0 || chance < chance_min_) {
    reached_depth_ = reached_depth_ || chance >= chance_min_;
    return worth_of(moved);
  }
  if (const WorthCache::Entry* known = cache_.find(moved, depth)) {
    reached_depth_ = reached_depth_ || known->limited();
    return known->worth;
  }
  const bool reached_before = std::exchange(reached_depth_, false);
  const std::uint64_t empty = PackedBoard::empty_cells(moved);
  const float share = chance / static_cast<float>(std::popcount(empty));
  float sum = 0;
  float weight = 0;
  for (std::size_t index = 0; index < spawn_count_; ++index) {
    const Spawn& spawn = spawns_[index];
    const float spawn_chance = share * spawn.chance;
    if (spawn_chance < chance_min_ && index != likeliest_) {
      continue;
    }
    weight += spawn.chance;
    if (stops_at_objective_ || (depth > 1 && spawn_chance >= chance_min_)) {
      sum += spawn.chance * sum_of_most(moved, empty, spawn.exponent, depth, spawn_chance);
    } else {
      sum += spawn.chance * sum_of_last(moved, empty, spawn.exponent, spawn_chance);
    }
    if (over_) {
      return 0;
    }
  }
  const float worth = sum / (weight * static_cast<float>(std::popcount(empty)));
  cache_.store(moved, depth, reached_depth_, worth);
  reached_depth_ = reached_depth_ || reached_before;
  return worth;
}

float PackedLook::sum_of_last(std::uint64_t moved, std::uint64_t empty, std::uint64_t exponent,
                              float chance) {
  const LastMoves moves{worths_, moved};
  float sum = 0;
  for (std::uint64_t left = empty; left != 0; left &= left - 1) {
    const LastMovesFound found = moves.with(left & -left, exponent);
    if (found.count == 0) {
      sum += float{kLostWorth};
      continue;
    }
    if (!nodes_.spend(found.count)) {
      over_ = true;
      return 0;
    }
    reached_depth_ = reached_depth_ || chance >= chance_min_;
    sum += in_play(static_cast<float>(found.most));
  }
  return sum;
}

float PackedLook::sum_of_most(std::uint64_t moved, std::uint64_t empty, std::uint64_t exponent,
                              int depth, float chance) {
  std::array<Moves, PackedBoard::kSize * PackedBoard::kSize> moves;
  std::size_t count = 0;
  for (std::uint64_t left = empty; left != 0; left &= left - 1) {
    find_moves(moved | (left & -left) * exponent, moves[count++]);
  }
  float sum = 0;
  for (const Moves& of_spawn : std::span{moves}.first(count)) {
    float most = kLostWorth;
    for (const std::uint64_t after : std::span{of_spawn.boards}.first(of_spawn.count)) {
      if (over_ || !nodes_.spend()) {
        over_ = true;
        return 0;
      }
      most = std::max(most, mean(after, depth - 1, chance));
    }
    sum += most;
  }
  return sum;
}

void PackedLook::find_moves(std::uint64_t board, Moves& moves) const {
  moves.count = 0;
  for (const std::uint64_t lines : {board, PackedBoard::transposed(board)}) {
    const RowMoves& first = worths_.edge_moves(lines & 0xffff);
    const RowMoves& second = worths_.inside_moves(lines >> 16 & 0xffff);
    const RowMoves& third = worths_.inside_moves(lines >> 32 & 0xffff);
    const RowMoves& fourth = worths_.edge_moves(lines >> 48);
    const std::uint64_t left = first.left | std::uint64_t{second.left} << 16 |
                               std::uint64_t{third.left} << 32 | std::uint64_t{fourth.left} << 48;
    const std::uint64_t right = first.right | std::uint64_t{second.right} << 16 |
                                std::uint64_t{third.right} << 32 |
                                std::uint64_t{fourth.right} << 48;
    for (const std::uint64_t moved : {left, right}) {
      if (moved != lines) {
        cache_.prefetch(moved);
        moves.boards[moves.count++] = moved;
      }
    }
  }
}

float PackedLook::worth_of(std::uint64_t board) const {
  return in_play(
      static_cast<float>(worths_.of_rows(board) + worths_.of_rows(PackedBoard::transposed(board))));
}

bool PackedLook::is_won(std::uint64_t moved) const {
  for (std::uint64_t tiles = moved; tiles != 0; tiles >>= 4) {
    if ((tiles & 0xf) >= objective_) {
      return true;
    }
  }
  return false;
}

}  // namespace tesela::g2048
