// Lights Out as messages (lights_out.proto), and as the grid that every client can draw.
#pragma once

#include <lights_out.pb.h>
#include <tesela/game/v1/grid.pb.h>

#include "server/base/wire_writer.h"
#include "server/games/codec_parts.h"
#include "tests/fifth_game/lights_out.h"

namespace tesela::games {

struct LightsOutCodec {
  using Game = lights_out::Game;
  using ConfigMessage = fifth_game::v1::LightsOutConfig;
  using MoveMessage = fifth_game::v1::LightsOutMove;
  using ViewMessage = fifth_game::v1::LightsOutView;
  using EventMessage = fifth_game::v1::LightsOutEvent;

  static Expected<lights_out::Config> read(const ConfigMessage& in);
  static void write(const lights_out::Config& config, ConfigMessage& out);
  static Expected<lights_out::Move> read(const MoveMessage& in);
  static void write(const lights_out::Move& move, base::WireWriter& out);
  static void write(const lights_out::State& state, base::WireWriter& out);
  static void write(const lights_out::Stage& stage, const lights_out::State& after,
                    base::WireWriter& out);
  /// size (1 byte) · moves left (1 byte) · lights (8 bytes, the lowest cells first).
  template <class Sink>
  static void canonical(const lights_out::State& state, Sink& out) {
    out.byte(state.size);
    out.byte(state.moves_left);
    out.u64(state.lights);
  }
  static Expected<lights_out::State> read_canonical(const lights_out::Config& config,
                                                    base::ByteReader& in);

  static void write(const lights_out::State& state, game::v1::GridView& out);
  static void write(const lights_out::Stage& stage, game::v1::GridStage& out);
  static std::uint32_t cell_of(const lights_out::Move& move) { return move.cell; }
};

}  // namespace tesela::games
