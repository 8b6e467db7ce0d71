// The requirements of a game's codec, for matches of the game (match_of.h).
#pragma once

#include <tesela/game/v1/grid.pb.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/result.h"
#include "server/base/bytes.h"
#include "server/base/wire_writer.h"
#include "server/games/codec_parts.h"

namespace tesela::games {

/// The codec of a game: its messages, and the conversion between values and messages. `write`
/// writes into an empty message. An event consists of its move, stages and view. `canonical` gives
/// the canonical bytes of a state (server/store/FORMAT.md) to a hash or a writer, and
/// `read_canonical` reads them back; kCorrupt for bytes that are no state of such a game.
template <class C>
concept GameCodec =
    Game<typename C::Game> &&
    requires(const typename C::ConfigMessage& config_in, typename C::ConfigMessage& config_out,
             const typename C::MoveMessage& move_in, typename C::MoveMessage& move_out,
             typename C::ViewMessage& view_out, typename C::EventMessage& event_out,
             const typename C::Game::Config& config, const typename C::Game::State& state,
             const typename C::Game::Move& move, const std::vector<typename C::Game::Stage>& stages,
             Fnv& digest, base::ByteWriter& bytes, base::ByteReader& saved) {
      { C::read(config_in) } -> std::same_as<Expected<typename C::Game::Config>>;
      C::write(config, config_out);
      { C::read(move_in) } -> std::same_as<Expected<typename C::Game::Move>>;
      C::write(move, move_out);
      C::write(state, view_out);
      C::write(move, stages, state, event_out);
      C::canonical(state, digest);
      C::canonical(state, bytes);
      { C::read_canonical(config, saved) } -> std::same_as<Expected<typename C::Game::State>>;
    };

/// A codec that also writes moves, positions and stages without messages: the same fields, in
/// descending order, for WireWriter. `after` is the position after the last stage.
template <class C>
concept WireCodec =
    GameCodec<C> &&
    requires(const typename C::Game::State& after, const typename C::Game::Move& move,
             const typename C::Game::Stage& stage, base::WireWriter& out) {
      C::write(move, out);
      C::write(after, out);
      C::write(stage, after, out);
    };

/// A codec that also reads moves that are encoded as usual (WireReader) without messages. Empty for
/// every other one: protobuf's parser and `read` read that, or say what is wrong.
template <class C>
concept UsualMoveCodec = GameCodec<C> && requires(std::string_view bytes) {
  { C::read_usual(bytes) } -> std::same_as<std::optional<typename C::Game::Move>>;
};

/// The codec of a game on a grid that also clients without a renderer for the game can show: it
/// writes positions and stages as GridView and GridStage, and tells the cell that a move chooses.
/// The legal moves are added here.
template <class C>
concept GridCodec = GameCodec<C> && requires(const typename C::Game::State& state,
                                             const typename C::Game::Stage& stage,
                                             const typename C::Game::Move& move,
                                             game::v1::GridView& view, game::v1::GridStage& shown) {
  C::write(state, view);
  C::write(stage, shown);
  { C::cell_of(move) } -> std::convertible_to<std::uint32_t>;
};

}  // namespace tesela::games
