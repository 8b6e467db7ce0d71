// A game: a set of pure functions over values. Everything else of Tesela (tables, logs, streams,
// searches, simulations) is written once against this concept.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "engine/core/rng.h"

namespace tesela {

/// The most seats any game has.
inline constexpr std::size_t kSeatsMax = 4;

/// How one seat ended.
struct Standing {
  std::int64_t points{};
  std::uint8_t rank{1};  // from 1; shared by seats that tie

  friend bool operator==(const Standing&, const Standing&) = default;
};

/// How a game ended, or stands: the first `seats` entries of `standings` count.
struct Result {
  std::uint8_t seats{};
  std::array<Standing, kSeatsMax> standings{};

  friend bool operator==(const Result&, const Result&) = default;
};

/// Takes stages and forgets them. `kWanted` lets a rule skip the making of a stage altogether, so
/// that the fast path is the same code with nothing to describe.
struct NoStages {
  static constexpr bool kWanted = false;
  template <class Stage>
  constexpr void operator()(Stage&&) const noexcept {}
};

/// Appends stages to a container, in the order in which they happen.
template <class Container>
struct CollectStages {
  static constexpr bool kWanted = true;
  Container& into;
  template <class Stage>
  constexpr void operator()(Stage&& stage) const {
    into.push_back(static_cast<Stage&&>(stage));
  }
};
template <class Container>
CollectStages(Container&) -> CollectStages<Container>;

/// A game: types and pure static functions. `G` itself is never instantiated.
///
/// - `State` is a plain value without pointers and without dice: a search copies millions. Two that
///   compare equal behave equally. A default-made State is only a place to put one.
/// - `start` refuses a bad configuration with a sentence. It draws from `rng` in the order that the
///   game's RULES.md states, as `apply` does: old logs replay by it.
/// - `legal_moves(s, seat, sink)` calls `sink(move)` for exactly the moves that `apply` accepts, in
///   an order that never changes; none when it is not the seat's turn.
/// - `apply(s, seat, move, rng, stages)` gives the state after the move and passes the stages to
///   `stages` in order. `s` is unchanged. When it refuses, nothing is drawn and there is no stage.
/// - `turn` is the seat that moves, or empty when the game is over; `result` is set exactly then.
/// - `standings` are the current ranks and points; once the game is over, they equal `result`.
template <class G>
concept Game = std::regular<typename G::Config> && std::regular<typename G::State> &&
               std::regular<typename G::Move> && std::is_trivially_copyable_v<typename G::State> &&
               std::copyable<typename G::Stage> &&
               requires(const typename G::Config& config, const typename G::State& s, Seat seat,
                        const typename G::Move& move, Rng& rng, void (*sink)(typename G::Move)) {
                 { G::kName } -> std::convertible_to<std::string_view>;
                 { G::seats(config) } -> std::same_as<std::uint8_t>;
                 { G::start(config, rng) } -> std::same_as<Expected<typename G::State>>;
                 { G::legal_moves(s, seat, sink) } -> std::same_as<void>;
                 {
                   G::apply(s, seat, move, rng, NoStages{})
                 } -> std::same_as<Expected<typename G::State>>;
                 { G::turn(s) } -> std::same_as<std::optional<Seat>>;
                 { G::standings(s) } -> std::same_as<Result>;
                 { G::result(s) } -> std::same_as<std::optional<Result>>;
               };

}  // namespace tesela
