// Lights Out: the rules. The paragraphs R-LO-n are those of RULES.md here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/game.h"
#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "engine/core/rng.h"

namespace tesela::lights_out {

inline constexpr std::uint8_t kSizeMin = 2;
inline constexpr std::uint8_t kSizeMax = 8;
inline constexpr std::uint8_t kMovesMax = 250;
inline constexpr Seat kOnlySeat{0};

struct Config {
  std::uint8_t size = 5;
  std::uint8_t presses = 6;
  std::uint8_t moves_max = 50;

  friend bool operator==(const Config&, const Config&) = default;
};

/// R-LO-1, R-LO-2, R-LO-4. Refuses with kInvalidArgument.
[[nodiscard]] Expected<void> validate(const Config& config);

/// A bit for each cell, row by row: set while its light is on.
using Lights = std::uint64_t;

/// A position. Nothing of it is hidden from the player.
struct State {
  std::uint8_t size{};
  std::uint8_t moves_left{};
  Lights lights{};

  [[nodiscard]] std::uint8_t cells() const { return static_cast<std::uint8_t>(size * size); }
  [[nodiscard]] bool is_on(std::uint8_t cell) const { return ((lights >> cell) & 1U) != 0; }

  friend bool operator==(const State&, const State&) = default;
};

/// The cell to press.
struct Move {
  std::uint8_t cell{};

  friend bool operator==(const Move&, const Move&) = default;
};

/// What a move did. There is one stage, the press.
struct Stage {
  std::uint8_t size{};
  Lights lights{};   // after it
  Lights changed{};  // the lights that have changed

  friend bool operator==(const Stage&, const Stage&) = default;
};

/// The lights that a press of `cell` changes (R-LO-3).
[[nodiscard]] Lights pressed(std::uint8_t size, std::uint8_t cell);
/// How many lights are on.
[[nodiscard]] int lights_on(const State& s);
/// The points so far (R-LO-5).
[[nodiscard]] std::int64_t points(const State& s);
/// The board as lines of text: `#` for a light that is on, `.` for one that is off.
[[nodiscard]] std::string draw(std::uint8_t size, Lights lights);

/// The rules, as engine/core/game.h asks for them.
struct Game {
  using Config = lights_out::Config;
  using State = lights_out::State;
  using Move = lights_out::Move;
  using Stage = lights_out::Stage;

  static constexpr std::string_view kName = "lights_out";

  [[nodiscard]] static constexpr std::uint8_t seats(const Config&) { return 1; }

  /// R-LO-2. Refuses what `validate` refuses.
  [[nodiscard]] static Expected<State> start(const Config& config, Rng& rng);

  /// R-LO-3: every cell, by ascending number.
  template <class Sink>
  static void legal_moves(const State& s, Seat seat, Sink&& sink) {
    if (seat != kOnlySeat || !turn(s)) return;
    for (std::uint8_t cell = 0; cell < s.cells(); ++cell) sink(Move{cell});
  }

  /// R-LO-3. Refuses with kNotYourTurn, kGameOver or kIllegalMove. Draws nothing.
  template <class Stages>
  [[nodiscard]] static Expected<State> apply(const State& s, Seat seat, const Move& move,
                                             Rng& /*rng*/, Stages&& stages) {
    if (auto judged = judge(s, seat, move); !judged) return std::unexpected(judged.error());
    State next = s;
    const Lights changed = pressed(s.size, move.cell);
    next.lights ^= changed;
    --next.moves_left;
    stages(Stage{.size = s.size, .lights = next.lights, .changed = changed});
    return next;
  }

  /// Seat 0 until the game is over (R-LO-4).
  [[nodiscard]] static std::optional<Seat> turn(const State& s);
  [[nodiscard]] static Result standings(const State& s);
  [[nodiscard]] static std::optional<Result> result(const State& s);

 private:
  [[nodiscard]] static Expected<void> judge(const State& s, Seat seat, const Move& move);
};

static_assert(tesela::Game<Game>);

}  // namespace tesela::lights_out
