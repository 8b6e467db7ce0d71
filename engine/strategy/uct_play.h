// A game as UCT plays it in its mind.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/core/game.h"
#include "engine/core/rng.h"
#include "engine/strategy/uct_tree.h"

namespace tesela {

/// - `moves(s, sink)` gives every move that makes a difference, ascending; none when it is over.
/// - `random_move(s, rng)` is a legal one, or empty when the game is over.
/// - `play(s, move, rng)` plays a legal move, in place.
/// - `values(s)` gives the game's value for each seat; also where it is cut off.
/// - `kExploration` weighs how seldom a move was tried against how good it looks; the values of one
///   search lie between 0 and 1 for it.
template <class Play>
concept UctPlay =
    std::totally_ordered<typename Play::Move> &&
    requires(const typename Play::State& s, typename Play::State& changed,
             const typename Play::Move& move, Rng& rng, void (*sink)(typename Play::Move)) {
      { Play::kExploration } -> std::convertible_to<float>;
      { Play::turn(s) } -> std::same_as<std::optional<Seat>>;
      { Play::moves(s, sink) } -> std::same_as<void>;
      { Play::random_move(s, rng) } -> std::same_as<std::optional<typename Play::Move>>;
      { Play::play(changed, move, rng) } -> std::same_as<void>;
      { Play::values(s) } -> std::same_as<Values<Play::kSeats>>;
    };

/// Of the end of a game: the points of a single player, or for each of several the share of the
/// others that it left behind, a tie half. Without a result: 0, or a tie of all.
[[nodiscard]] inline Values<kSeatsMax> values_of(const std::optional<Result>& result) {
  Values<kSeatsMax> values{};
  if (!result) {
    values.fill(0.5F);
    return values;
  }
  if (result->seats == 1) {
    values[0] = static_cast<float>(result->standings[0].points);
    return values;
  }
  for (std::size_t seat = 0; seat < result->seats; ++seat) {
    for (std::size_t other = 0; other < result->seats; ++other) {
      const int ahead = result->standings[other].rank - result->standings[seat].rank;
      values[seat] += other == seat ? 0.0F : ahead > 0 ? 1.0F : ahead == 0 ? 0.5F : 0.0F;
    }
    values[seat] /= static_cast<float>(result->seats - 1);
  }
  return values;
}

/// With nothing but what every game has. Its moves are ordered, and G::legal_moves lists them in
/// that order.
template <Game G>
  requires std::totally_ordered<typename G::Move>
struct PlainPlay {
  using State = typename G::State;
  using Move = typename G::Move;

  static constexpr std::size_t kSeats = kSeatsMax;
  static constexpr float kExploration = 0.7F;

  [[nodiscard]] static std::optional<Seat> turn(const State& s) { return G::turn(s); }

  template <class Sink>
  static void moves(const State& s, Sink&& sink) {
    if (const auto seat = G::turn(s)) {
      G::legal_moves(s, *seat, sink);
    }
  }

  [[nodiscard]] static std::optional<Move> random_move(const State& s, Rng& rng) {
    std::uint32_t count = 0;
    moves(s, [&](const Move&) { ++count; });
    std::optional<Move> drawn;
    if (count != 0) {
      std::uint32_t before = rng.uniform(count);
      moves(s, [&](const Move& move) {
        if (before-- == 0) {
          drawn = move;
        }
      });
    }
    return drawn;
  }

  static void play(State& s, const Move& move, Rng& rng) {
    s = G::apply(s, *G::turn(s), move, rng, NoStages{}).value();
  }

  [[nodiscard]] static Values<kSeats> values(const State& s) { return values_of(G::result(s)); }
};

}  // namespace tesela
