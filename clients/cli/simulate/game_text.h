// What simulations, tournaments and hints need of a game: text for people, JSON for programs, and
// statistics for a summary. One implementation per game.
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
/// - `kTitle` is the name of the game as people read it.
/// - `draw` gives the position as lines of text. `say` gives a move, made in the position before
/// it,
///   and `standing` the scores: each a part of a sentence. `tell` gives the stages of a move as
///   lines.
/// - `outcome` is one or two words; "stopped" when the game is not over.
/// - `points` are the points of a seat so far.
/// - `start_json`, `move_json` and `end_json` are the game's own fields of the log's objects;
///   `choice_json` is the move alone.
/// - `read_position` reads a position in the JSON of the questions to `tesela rules`.
/// - `Statistics` gets the last position of every game, and gives a summary as text and as JSON.
template <class W>
concept GameText = Game<typename W::Game> && std::default_initializable<typename W::Statistics> &&
                   requires(const typename W::Game::State& s, const typename W::Game::Move& move,
                            Seat seat, std::span<const typename W::Game::Stage> stages,
                            const Json& json, typename W::Statistics& statistics) {
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
                     { statistics.add(s, std::uint64_t{}) } -> std::same_as<void>;
                     { statistics.text() } -> std::same_as<std::string>;
                     { statistics.json() } -> std::same_as<Json>;
                   };

}  // namespace tesela::cli
