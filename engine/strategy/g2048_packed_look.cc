#include "engine/strategy/g2048_packed_look.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <utility>

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
    float of_spawn = 0;
    for (std::uint64_t left = empty; left != 0; left &= left - 1) {
      of_spawn += most(moved | (left & -left) * spawn.exponent, depth, spawn_chance);
      if (over_) {
        return 0;
      }
    }
    sum += spawn.chance * of_spawn;
  }
  const float worth = sum / (weight * static_cast<float>(std::popcount(empty)));
  cache_.store(moved, depth, reached_depth_, worth);
  reached_depth_ = reached_depth_ || reached_before;
  return worth;
}

float PackedLook::most(std::uint64_t board, int depth, float chance) {
  const float along_rows = most_along_rows(board, depth, chance, float{kLostWorth});
  return most_along_rows(PackedBoard::transposed(board), depth, chance, along_rows);
}

float PackedLook::most_along_rows(std::uint64_t lines, int depth, float chance, float least) {
  const RowMoves& first = worths_.edge_moves(lines & 0xffff);
  const RowMoves& second = worths_.inside_moves(lines >> 16 & 0xffff);
  const RowMoves& third = worths_.inside_moves(lines >> 32 & 0xffff);
  const RowMoves& fourth = worths_.edge_moves(lines >> 48);
  const std::uint64_t left = first.left | std::uint64_t{second.left} << 16 |
                             std::uint64_t{third.left} << 32 | std::uint64_t{fourth.left} << 48;
  const std::uint64_t right = first.right | std::uint64_t{second.right} << 16 |
                              std::uint64_t{third.right} << 32 | std::uint64_t{fourth.right} << 48;
  if (left != lines) {
    const std::int32_t worth =
        first.left_worth + second.left_worth + third.left_worth + fourth.left_worth;
    least = std::max(least, after(left, worth, depth, chance));
  }
  if (right != lines) {
    const std::int32_t worth =
        first.right_worth + second.right_worth + third.right_worth + fourth.right_worth;
    least = std::max(least, after(right, worth, depth, chance));
  }
  return least;
}

float PackedLook::after(std::uint64_t moved, std::int32_t rows_worth, int depth, float chance) {
  if (over_ || !nodes_.spend()) {
    over_ = true;
    return 0;
  }
  if (stops_at_objective_ || (depth > 1 && chance >= chance_min_)) {
    return mean(moved, depth - 1, chance);
  }
  // The last move of the look: what its rows are worth came with them.
  reached_depth_ = reached_depth_ || chance >= chance_min_;
  return in_play(static_cast<float>(rows_worth + worths_.of_rows(PackedBoard::transposed(moved))));
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
