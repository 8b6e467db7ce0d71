// Games so small that the best move is known.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/core/game.h"

namespace tesela::test {

/// Take one to three of a heap; the player who takes the last one wins.
struct Nim {
  struct Config {
    std::uint8_t players{2};
    int heap{};
    friend bool operator==(const Config&, const Config&) = default;
  };
  struct State {
    std::uint8_t players{2};
    int heap{};
    std::uint8_t turn{};
    friend bool operator==(const State&, const State&) = default;
  };
  struct Move {
    int taken{};
    friend auto operator<=>(const Move&, const Move&) = default;
  };
  struct Stage {};

  static constexpr std::string_view kName = "nim";
  static std::uint8_t seats(const Config& config) { return config.players; }
  static Expected<State> start(const Config& config, Rng& /*rng*/) {
    return State{.players = config.players, .heap = config.heap};
  }
  template <class Sink>
  static void legal_moves(const State& s, Seat /*seat*/, Sink&& sink) {
    for (int taken = 1; taken <= std::min(3, s.heap); ++taken) {
      sink(Move{taken});
    }
  }
  template <class Stages>
  static Expected<State> apply(const State& s, Seat /*seat*/, const Move& move, Rng& /*rng*/,
                               Stages&& /*stages*/) {
    return State{.players = s.players,
                 .heap = s.heap - move.taken,
                 .turn = static_cast<std::uint8_t>((s.turn + 1) % s.players)};
  }
  static std::optional<Seat> turn(const State& s) {
    return s.heap > 0 ? std::optional{Seat{s.turn}} : std::nullopt;
  }
  /// The player who moved last is ahead.
  static Result standings(const State& s) {
    Result standings{.seats = s.players};
    for (Standing& standing : standings.standings) {
      standing = {.points = 0, .rank = 2};
    }
    standings.standings[(s.turn + s.players - 1U) % s.players] = {.points = 1, .rank = 1};
    return standings;
  }
  static std::optional<Result> result(const State& s) {
    return s.heap > 0 ? std::nullopt : std::optional{standings(s)};
  }
};
static_assert(Game<Nim>);

/// Two points for certain, or a draw from 0 to `stake`.
struct Lottery {
  struct Config {
    std::uint32_t stake{};
    friend bool operator==(const Config&, const Config&) = default;
  };
  struct State {
    std::uint32_t stake{};
    std::int64_t points{};
    bool over{};
    friend bool operator==(const State&, const State&) = default;
  };
  enum class Move : std::uint8_t { kSafe, kDraw };
  struct Stage {};

  static constexpr std::string_view kName = "lottery";
  static std::uint8_t seats(const Config& /*config*/) { return 1; }
  static Expected<State> start(const Config& config, Rng& /*rng*/) {
    return State{.stake = config.stake};
  }
  template <class Sink>
  static void legal_moves(const State& s, Seat /*seat*/, Sink&& sink) {
    if (!s.over) {
      sink(Move::kSafe);
      sink(Move::kDraw);
    }
  }
  template <class Stages>
  static Expected<State> apply(const State& s, Seat /*seat*/, const Move& move, Rng& rng,
                               Stages&& /*stages*/) {
    const std::int64_t points = move == Move::kSafe ? 2 : rng.uniform(s.stake + 1);
    return State{.stake = s.stake, .points = points, .over = true};
  }
  static std::optional<Seat> turn(const State& s) {
    return s.over ? std::nullopt : std::optional{Seat{0}};
  }
  static Result standings(const State& s) {
    Result standings{.seats = 1};
    standings.standings[0].points = s.points;
    return standings;
  }
  static std::optional<Result> result(const State& s) {
    return s.over ? std::optional{standings(s)} : std::nullopt;
  }
};
static_assert(Game<Lottery>);

}  // namespace tesela::test
