// The properties of a move for the strategies of R-AZ-15.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "engine/azul/azul.h"
#include "engine/core/rng.h"

namespace tesela::azul {

/// The most moves of a position: sources, colours and targets there can be at once.
inline constexpr std::size_t kMovesMax = kSourcesMax * kColourCount * (kRows + 1);

/// A number that grows in the order of moves (R-AZ-15).
[[nodiscard]] constexpr std::uint16_t packed(const Move& move) {
  return static_cast<std::uint16_t>(unsigned{move.source} << 6U |
                                    static_cast<unsigned>(move.colour) << 3U | move.target);
}

[[nodiscard]] constexpr Move unpacked(std::uint16_t number) {
  return {.source = static_cast<Source>(number >> 6U),
          .colour = static_cast<Colour>(number >> 3U & 7U),
          .target = static_cast<Target>(number & 7U)};
}

/// Whether it goes to a pattern line.
[[nodiscard]] constexpr bool is_viable(const Move& move) {
  return move.target != kFloor;
}

/// How many tiles of it go beyond its pattern line; those to the lid count, the marker does not.
[[nodiscard]] inline unsigned tiles_to_floor(const State& s, const Move& move) {
  const unsigned taken = s.table.sources[move.source].count(move.colour);
  if (move.target == kFloor) {
    return taken;
  }
  const unsigned held = s.table.boards[s.turn.value].lines[move.target].count;
  return taken - std::min(taken, line_size(move.target) - held);
}

/// By how much it raises the floor line's penalty (R-AZ-9), the marker included.
[[nodiscard]] inline unsigned floor_points(const State& s, const Move& move) {
  const FloorLine& floor = s.table.boards[s.turn.value].floor;
  const bool marker = move.source == kCentre && s.table.marker_in_centre();
  const unsigned occupied = floor.count() + (marker ? 1 : 0) + tiles_to_floor(s, move);
  return FloorLine::cost_of(std::min(occupied, FloorLine::kSpaces)) - floor.cost();
}

/// The move that is `among` those asked for and of which `cost(move)` is least, the first in
/// order; empty when none is.
template <class Among, class Cost>
[[nodiscard]] std::optional<Move> cheapest(const State& s, Among&& among, Cost&& cost) {
  std::optional<Move> best;
  auto least = std::numeric_limits<std::int64_t>::max();
  choices(s).each([&](const Move& move) {
    if (!among(move)) {
      return;
    }
    const auto costs = static_cast<std::int64_t>(cost(move));
    if (!best || costs < least) {
      best = move;
      least = costs;
    }
  });
  return best;
}

/// One of the moves that `values` lists by `each(sink)`, with a number for each: e times less
/// likely for each `scale` by which that is below the highest, and none that is below it by more
/// than four of them. By one word of `rng`.
template <class Values>
[[nodiscard]] Move draw_softmax(const Values& values, float scale, Rng& rng) {
  std::array<Move, kMovesMax> moves;
  std::array<float, kMovesMax> sums;
  std::size_t count = 0;
  float best = -std::numeric_limits<float>::infinity();
  values.each([&](const Move& move, float value) {
    moves[count] = move;
    sums[count++] = value;
    best = std::max(best, value);
  });
  const float least = best - 4 * scale;
  float sum = 0;
  for (float& value : std::span{sums}.first(count)) {
    sum += value < least ? 0 : std::exp((value - best) / scale);
    value = sum;
  }
  const float drawn = sum * (static_cast<float>(rng.word() >> 8U) * 0x1p-24F);
  std::size_t chosen = 0;
  while (chosen + 1 < count && sums[chosen] <= drawn) {
    ++chosen;
  }
  return moves[chosen];
}

/// One of the moves `among` those asked for, each as likely, by one draw; empty, and nothing drawn,
/// when none is.
template <class Among>
[[nodiscard]] std::optional<Move> any_of(const State& s, Rng& rng, Among&& among) {
  std::uint32_t count = 0;
  choices(s).each([&](const Move& move) { count += among(move) ? 1 : 0; });
  if (count == 0) {
    return std::nullopt;
  }
  std::uint32_t before = rng.uniform(count);
  std::optional<Move> chosen;
  choices(s).each([&](const Move& move) {
    if (among(move) && before-- == 0) {
      chosen = move;
    }
  });
  return chosen;
}

/// What each strategy plays when no move is viable: the legal move that costs the fewest floor
/// points, the first in order.
[[nodiscard]] inline Move least_harm(const State& s) {
  const auto all = [](const Move&) { return true; };
  return cheapest(s, all, [&](const Move& move) { return floor_points(s, move); }).value_or(Move{});
}

/// A uniform one among the viable moves that are `preferred`, else a uniform viable one.
template <class Preferred>
[[nodiscard]] Move any_viable(const State& s, Rng& rng, Preferred&& preferred) {
  if (s.over) {
    return {};
  }
  if (const auto move =
          any_of(s, rng, [&](const Move& move) { return is_viable(move) && preferred(move); })) {
    return *move;
  }
  const auto viable = any_of(s, rng, is_viable);
  return viable ? *viable : least_harm(s);
}

}  // namespace tesela::azul
