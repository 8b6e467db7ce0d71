// Azul `novice` and `amateur`.
#pragma once

#include "engine/azul/azul.h"
#include "engine/strategy/azul_move_values.h"
#include "engine/strategy/strategy.h"

namespace tesela::azul {

/// Draws among the moves by what they look worth at once: the best most often, far worse ones
/// never. `kTenths` tenths of a point are what makes a move e times less likely.
template <const Description& kAs, int kTenths>
class Casual final : public Strategy<Game> {
 public:
  static constexpr Description kDescription = kAs;

  [[nodiscard]] Choice<Game> choose(const State& view, Seat /*seat*/, Rng& rng,
                                    const Budget& /*budget*/) override {
    return view.over ? Choice<Game>{} : Choice<Game>{MoveValues{view}.draw(kTenths * 0.1F, rng)};
  }
};

inline constexpr Description kNoviceDescription{
    .name = "novice", .text = "Plays what looks good, and often misjudges it.", .level = 1};
using Novice = Casual<kNoviceDescription, 20>;

inline constexpr Description kAmateurDescription{
    .name = "amateur", .text = "Plays what looks good, and misjudges it now and then.", .level = 2};
using Amateur = Casual<kAmateurDescription, 9>;

}  // namespace tesela::azul
