// What a simulation tells of a game: in words for people, in JSON for programs, and in the figures
// of a summary. One implementation a game.
#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "engine/core/game.h"

namespace tesela::cli {

/// Objects keep the order of their fields.
using Json = nlohmann::ordered_json;

/// Types and pure static functions. `W` itself is never instantiated.
///
/// - `choose` is the move of a random player, who draws from `rng`. The seat is on turn.
/// - `draw` is the position: lines of text. `say` is a move, from the position before it, and
///   `standing` the scores: each a part of a sentence. `tell` is how a move came about: lines.
/// - `outcome` is one word or two; "stopped" when the game is not over.
/// - `start_json`, `move_json` and `end_json` are objects, with what is the game's own.
/// - A `Tally` is told the end of every game, and gives lines of figures.
template <class W>
concept GameWords =
    Game<typename W::Game> && std::default_initializable<typename W::Tally> &&
    requires(const typename W::Game::State& s, const typename W::Game::Move& move, Seat seat,
             std::span<const typename W::Game::Stage> stages, Rng& rng, typename W::Tally& tally) {
      { W::choose(s, seat, rng) } -> std::same_as<typename W::Game::Move>;
      { W::draw(s) } -> std::same_as<std::string>;
      { W::say(s, move) } -> std::same_as<std::string>;
      { W::tell(stages, s) } -> std::same_as<std::string>;
      { W::standing(s) } -> std::same_as<std::string>;
      { W::outcome(s) } -> std::same_as<std::string>;
      { W::start_json(s) } -> std::same_as<Json>;
      { W::move_json(s, move, stages, s) } -> std::same_as<Json>;
      { W::end_json(s) } -> std::same_as<Json>;
      { tally.add(s, std::uint64_t{}) } -> std::same_as<void>;
      { tally.text() } -> std::same_as<std::string>;
    };

/// A uniform one of the legal moves of the seat that is on turn.
template <Game G>
[[nodiscard]] typename G::Move uniform_move(const typename G::State& s, Seat seat, Rng& rng) {
  std::uint32_t count = 0;
  G::legal_moves(s, seat, [&count](const auto&) { ++count; });
  std::uint32_t skip = rng.uniform(count);
  typename G::Move chosen{};
  G::legal_moves(s, seat, [&](const auto& move) {
    if (skip-- == 0) chosen = move;
  });
  return chosen;
}

}  // namespace tesela::cli
