// 2248: the rules as the server plays them. The paragraphs R-2248-n are those of RULES.md here.
//
// Hints are in hints.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/grid.h"
#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "engine/core/rng.h"
#include "engine/g2248/board.h"
#include "engine/g2248/chain.h"
#include "engine/g2248/config.h"
#include "engine/g2248/groups.h"
#include "engine/g2248/moves.h"
#include "engine/g2248/path.h"

namespace tesela::g2248 {

/// The seat of the player.
inline constexpr Seat kOnlySeat{0};

/// A position. Nothing of it is hidden from a player.
struct State {
  Board board;
  std::uint64_t goal{};
  std::uint64_t score{};  // at most kScoreMax
  bool goal_reached{};    // R-2248-6: the score is at least the goal, or was

  friend bool operator==(const State&, const State&) = default;
};

enum class MoveKind : std::uint8_t { kChain, kBooster };

/// `chain` is empty for the booster.
struct Move {
  MoveKind kind{MoveKind::kChain};
  Path chain{};

  friend bool operator==(const Move&, const Move&) = default;
};

/// The state of a game.
enum class Outcome : std::uint8_t {
  kInPlay,       // a chain is possible and the goal is not reached
  kGoalReached,  // a chain is possible, the goal is reached and play goes on
  kOver,         // no chain is possible (R-2248-12)
};

[[nodiscard]] Outcome outcome(const State& s);

/// Adds points to the score (R-2248-6). Returns whether they reached the goal.
bool score(State& s, std::uint64_t points);

/// The rules, as engine/core/game.h asks for them.
struct Game {
  using Config = g2248::Config;
  using State = g2248::State;
  using Move = g2248::Move;
  using Stage = g2248::Stage;

  static constexpr std::string_view kName = "2248";

  [[nodiscard]] static constexpr std::uint8_t seats(const Config&) { return 1; }

  /// R-2248-2. Refuses what `validate` refuses.
  [[nodiscard]] static Expected<State> start(const Config& config, Rng& rng);

  /// The booster first, then every chain in the order of for_each_chain. A sink that returns bool
  /// stops with false, and should: a board may have more chains than can ever be listed. A
  /// simulation takes random_chain instead.
  template <class Sink>
  static void legal_moves(const State& s, Seat seat, Sink&& sink);

  /// R-2248-3..8. Refuses with kNotYourTurn, kGameOver or kIllegalMove.
  template <class Stages>
  [[nodiscard]] static Expected<State> apply(const State& s, Seat seat, const Move& move, Rng& rng,
                                             Stages&& stages);

  /// Seat 0 until the game is over (R-2248-12).
  [[nodiscard]] static std::optional<Seat> turn(const State& s);
  /// The score.
  [[nodiscard]] static Result standings(const State& s);
  /// The same, once the game is over.
  [[nodiscard]] static std::optional<Result> result(const State& s);

 private:
  /// Why a move that the rules refuse as `refused` is refused here.
  [[nodiscard]] static Error why_refused(const State& s, Error refused);
};

template <class Sink>
void Game::legal_moves(const State& s, Seat seat, Sink&& sink) {
  if (seat != kOnlySeat) {
    return;
  }
  if (check_booster(s.board, Groups{s.board}) &&
      !wants_more(sink, Move{.kind = MoveKind::kBooster})) {
    return;
  }
  for_each_chain(s.board, [&](const Path& path) {
    return wants_more(sink, Move{.kind = MoveKind::kChain, .chain = path});
  });
}

template <class Stages>
Expected<State> Game::apply(const State& s, Seat seat, const Move& move, Rng& rng,
                            Stages&& stages) {
  if (seat != kOnlySeat) {
    return refuse(ErrorCode::kNotYourTurn, "2248 is played from seat 0 alone.");
  }
  if (move.kind == MoveKind::kBooster) {
    const Groups groups{s.board};
    if (auto allowed = check_booster(s.board, groups); !allowed) {
      return std::unexpected(why_refused(s, std::move(allowed).error()));
    }
    State next = s;
    collapse(next.board, groups, rng, stages);
    return next;
  }
  auto value = check_chain(s.board, move.chain.cells());
  if (!value) {
    return std::unexpected(why_refused(s, std::move(value).error()));
  }
  State next = s;
  const bool reached = score(next, tile_value(*value));
  join(next.board, move.chain.cells(), {.value = *value, .goal_reached = reached}, rng, stages);
  return next;
}

static_assert(tesela::Game<Game>);

/// The board as text: one line a row, values aligned to the right in columns of at least five
/// characters, '.' for an empty cell.
[[nodiscard]] std::string draw(BoardView board);

/// The result of a random game.
struct Playout {
  State end;
  std::uint64_t moves{};
};

/// A random game, as fast as possible, for statistics: the same rules and draws as Game::apply, on
/// a board of 64 bytes where it fits. Plays on from `s` with chains of random_chain until the game
/// is over or `moves_max` are played. Each move draws its chain and then its refill.
[[nodiscard]] Playout play_out(const State& s, std::uint64_t moves_max, Rng& rng);

}  // namespace tesela::g2248
