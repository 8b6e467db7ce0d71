// What a simulation tells of a game: in words for people, in JSON for programs, and in the figures
// of a summary. One implementation a game.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "clients/cli/simulate/summary.h"
#include "engine/core/game.h"

namespace tesela::cli {

/// Types and pure static functions. `W` itself is never instantiated.
///
/// - `kTitle` is the name of the game as it is printed.
/// - `draw` is the position: lines of text. `say` is a move, from the position before it, and
///   `standing` the scores: each a part of a sentence. `tell` is how a move came about: lines.
/// - `outcome` is one word or two; "stopped" when the game is not over.
/// - `points` are those of a seat so far.
/// - `start_json`, `move_json` and `end_json` are objects, with what is the game's own;
/// `choice_json`
///   is the move alone.
/// - `read_position` understands the JSON in which questions to `tesela rules` give a position.
/// - A `Tally` is told the end of every game, and gives lines of figures and the same as JSON.
template <class W>
concept GameText = Game<typename W::Game> && std::default_initializable<typename W::Tally> &&
                   requires(const typename W::Game::State& s, const typename W::Game::Move& move,
                            Seat seat, std::span<const typename W::Game::Stage> stages,
                            const Json& json, typename W::Tally& tally) {
                     { W::kTitle } -> std::convertible_to<std::string_view>;
                     { W::draw(s) } -> std::same_as<std::string>;
                     { W::say(s, move) } -> std::same_as<std::string>;
                     { W::tell(stages, s) } -> std::same_as<std::string>;
                     { W::standing(s) } -> std::same_as<std::string>;
                     { W::outcome(s) } -> std::same_as<std::string>;
                     { W::points(s, seat) } -> std::same_as<std::int64_t>;
                     { W::start_json(s) } -> std::same_as<Json>;
                     { W::move_json(s, move, stages, s) } -> std::same_as<Json>;
                     { W::choice_json(s, move) } -> std::same_as<Json>;
                     { W::end_json(s) } -> std::same_as<Json>;
                     { W::read_position(json) } -> std::same_as<Expected<typename W::Game::State>>;
                     { tally.add(s, std::uint64_t{}) } -> std::same_as<void>;
                     { tally.text() } -> std::same_as<std::string>;
                     { tally.json() } -> std::same_as<Json>;
                   };

}  // namespace tesela::cli
