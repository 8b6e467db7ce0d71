// Evaluates positions of Azul between two rounds, for each seat.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/azul/azul.h"
#include "engine/strategy/uct_play.h"

namespace tesela::azul {

/// What of a board is looked at between two rounds: features, each a small number.
inline constexpr std::size_t kFeatures = 42;
using Features = std::array<float, kFeatures>;

/// Of the board of a seat between two rounds: walls are tiled, and nothing is dealt.
[[nodiscard]] Features features_of(const State& s, Seat seat);

/// How many rounds the game goes on at least: a row of a wall gets one tile in a round. From 1 to
/// 5 while the game is in play.
[[nodiscard]] unsigned rounds_left(const Table& table);

/// What features count, for so many rounds left (from 1), and how far the points of two seats
/// differ from the expectation: the scale of a logistic distribution.
struct Evaluation {
  std::array<Features, kRows> weights{};
  std::array<float, kRows> scale{};
};

/// Learnt from self-play: README.md.
[[nodiscard]] const Evaluation& learnt_evaluation();

/// The points that a seat is expected to gain until the end of the game.
[[nodiscard]] float future_points(const Evaluation& evaluation, const Features& features,
                                  unsigned rounds_left);

/// The share of the others that each seat is expected to leave behind, between two rounds or at
/// the end of the game; 0 for seats that are not there.
[[nodiscard]] Values<kPlayersMax> shares(const Evaluation& evaluation, const State& s);

}  // namespace tesela::azul
