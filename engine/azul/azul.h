// Azul: the rules as the server plays them. The paragraphs R-AZ-n are those of RULES.md here.
//
// Searches and simulations play the same functions without stages: play_out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "engine/azul/choices.h"
#include "engine/azul/config.h"
#include "engine/azul/round.h"
#include "engine/azul/stage.h"
#include "engine/azul/table.h"
#include "engine/azul/turn.h"
#include "engine/core/game.h"
#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "engine/core/rng.h"

namespace tesela::azul {

/// A position. Nothing of it is hidden from a player (R-AZ-14).
struct State {
  Table table;
  std::uint32_t round{};  // from 1
  Seat starter{};         // the seat that started it
  Seat turn{};            // on turn; once the game is over, the last to play
  bool over{};
  std::uint8_t untiled_rounds_max{};  // Config's
  /// Rounds in a row, up to the last one that ended, that put no tile on any wall (R-AZ-11); 0
  /// where untiled_rounds_max is.
  std::uint8_t untiled_rounds{};

  friend bool operator==(const State&, const State&) = default;
};
static_assert(sizeof(State) <= 256);

/// Whether the game goes on.
enum class Outcome : std::uint8_t {
  kInPlay,
  kRowComplete,  // over: a round ended with a complete row on some wall
  kNoTiles,      // over: no tile was left to deal
  kNoTiling,     // over: no tile came onto a wall for untiled_rounds_max rounds
};

[[nodiscard]] Outcome outcome(const State& s);

/// Whether some wall has a complete row (R-AZ-11).
[[nodiscard]] inline bool has_complete_row(const Table& table) {
  return std::ranges::any_of(table.boards,
                             [](const Board& board) { return board.wall.has_complete_row(); });
}

/// Counts the round that has just been tiled; `tiled`: some tile came onto a wall (R-AZ-11).
inline void count_round(State& s, bool tiled) {
  const bool counts = !tiled && s.untiled_rounds_max != 0;
  s.untiled_rounds = counts ? static_cast<std::uint8_t>(s.untiled_rounds + 1) : std::uint8_t{0};
}

/// Whether so many rounds have tiled nothing that the game ends (R-AZ-11).
[[nodiscard]] inline bool untiled_too_long(const State& s) {
  return s.untiled_rounds_max != 0 && s.untiled_rounds >= s.untiled_rounds_max;
}

/// The legal moves of the seat on turn; none when the game is over.
[[nodiscard]] inline Choices choices(const State& s) {
  return {s.table, s.table.boards[s.turn.value]};
}

/// The points of a seat and what decides between equal points (R-AZ-12).
struct Finish {
  std::int64_t points{};
  std::uint8_t complete_rows{};
};

/// Ranks from 1 for 1 to 4 seats (R-AZ-12).
[[nodiscard]] Result rank(std::span<const Finish> seats);

/// R-AZ-11: all bonuses, and the end.
template <class Stages>
void finish(State& s, Telling<Stages>& tell);

/// R-AZ-10: who begins the next round, or the end of the game (R-AZ-11). Deals nothing.
template <class Stages>
void close_round(State& s, Telling<Stages>& tell);

/// R-AZ-10: the next round, or the end of the game (R-AZ-11).
template <class Stages>
void go_on(State& s, Rng& rng, Telling<Stages>& tell);

/// Plays a legal move, in place, but for the deal: true when the round has ended, or the game. Then
/// walls are tiled, and no tile lies in the sources.
template <class Stages>
bool play_in_round(State& s, const Move& move, Telling<Stages>& tell);

/// Plays a legal move, in place.
template <class Stages>
void play(State& s, const Move& move, Rng& rng, Stages& stages);

/// The rules, as engine/core/game.h asks for them.
struct Game {
  using Config = azul::Config;
  using State = azul::State;
  using Move = azul::Move;
  using Stage = azul::Stage;

  static constexpr std::string_view kName = "azul";

  [[nodiscard]] static constexpr std::uint8_t seats(const Config& config) { return config.players; }

  /// R-AZ-1. Refuses what `validate` refuses.
  [[nodiscard]] static Expected<State> start(const Config& config, Rng& rng);

  /// In the order of Choices.
  template <class Sink>
  static void legal_moves(const State& s, Seat seat, Sink&& sink) {
    if (seat == s.turn && !s.over) {
      choices(s).each(sink);
    }
  }

  /// R-AZ-3..11. Refuses with kNotYourTurn, kGameOver or kIllegalMove.
  template <class Stages>
  [[nodiscard]] static Expected<State> apply(const State& s, Seat seat, const Move& move, Rng& rng,
                                             Stages&& stages) {
    if (auto allowed = check(s, seat, move); !allowed) {
      return std::unexpected(std::move(allowed).error());
    }
    State next = s;
    play(next, move, rng, stages);
    return next;
  }

  [[nodiscard]] static std::optional<Seat> turn(const State& s) {
    return s.over ? std::nullopt : std::optional{s.turn};
  }
  /// Scores and ranks (R-AZ-12).
  [[nodiscard]] static Result standings(const State& s);
  /// The same, once the game is over.
  [[nodiscard]] static std::optional<Result> result(const State& s);

 private:
  [[nodiscard]] static Expected<void> check(const State& s, Seat seat, const Move& move);
};

template <class Stages>
void finish(State& s, Telling<Stages>& tell) {
  for (Seat seat{0}; seat.value < s.table.players; ++seat.value) {
    Board& board = s.table.boards[seat.value];
    const auto give = [&](BonusKind kind, unsigned points) {
      if (points == 0) {
        return;
      }
      board.score = static_cast<std::uint16_t>(board.score + points);
      tell.stage([&] {
        return Stage{.kind = StageKind::kBonus,
                     .seat = seat,
                     .points = static_cast<std::int16_t>(points),
                     .bonus = kind};
      });
    };
    const Completed completed = board.wall.completed();
    give(BonusKind::kRows, completed.rows * kRowBonus);
    give(BonusKind::kColumns, completed.columns * kColumnBonus);
    give(BonusKind::kColours, completed.colours * kColourBonus);
  }
  s.over = true;
  tell.stage([] { return Stage{.kind = StageKind::kFinal}; });
}

template <class Stages>
void close_round(State& s, Telling<Stages>& tell) {
  const bool nothing_to_deal = s.table.bag.empty() && s.table.lid.empty();
  if (nothing_to_deal || has_complete_row(s.table) || untiled_too_long(s)) {
    finish(s, tell);
    return;
  }
  s.starter = s.table.marker_in_centre() ? s.starter : s.table.next_starter;
  s.turn = s.starter;
  ++s.round;
}

template <class Stages>
void go_on(State& s, Rng& rng, Telling<Stages>& tell) {
  close_round(s, tell);
  if (!s.over) {
    deal(s.table, rng, tell);
  }
}

template <class Stages>
bool play_in_round(State& s, const Move& move, Telling<Stages>& tell) {
  take_turn(s.table, s.turn, move, tell);
  if (!round_over(s.table)) {
    s.turn.value = static_cast<std::uint8_t>((s.turn.value + 1) % s.table.players);
    return false;
  }
  count_round(s, end_round(s.table, tell));
  close_round(s, tell);
  return true;
}

template <class Stages>
void play(State& s, const Move& move, Rng& rng, Stages& stages) {
  Telling tell{s.table, stages};
  if (play_in_round(s, move, tell) && !s.over) {
    deal(s.table, rng, tell);
  }
}

static_assert(tesela::Game<Game>);

/// The result of a random game.
struct Playout {
  State end;
  std::uint64_t moves{};
};

/// For games from before the third end of R-AZ-11, which may have none (RULES.md, "Games without an
/// end"). Of six million random games the longest that ended took 440 moves.
inline constexpr std::uint64_t kPlayoutMovesMax = 1'000;

/// A random game, as fast as possible, for statistics: the same rules and draws as Game::apply.
/// Plays on from `s` with moves that are uniform among the legal ones, until the game is over or
/// kPlayoutMovesMax moves are played. Each move draws uniform(number of legal moves), which counts
/// in the order of Choices, and then what its round's end deals.
[[nodiscard]] Playout play_out(const State& s, Rng& rng);

}  // namespace tesela::azul
