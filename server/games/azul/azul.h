// Converts Azul to and from its messages (proto/tesela/game/v1/azul.proto). Pure: any thread.
// Errors of `read`: kInvalidArgument, with what is wrong.
#pragma once

#include <tesela/game/v1/azul.pb.h>

#include <optional>
#include <string_view>

#include "engine/azul/azul.h"
#include "server/base/wire_writer.h"
#include "server/games/azul/state.h"
#include "server/games/codec_parts.h"

namespace tesela::games {

struct AzulCodec {
  using Game = azul::Game;
  using ConfigMessage = game::v1::AzulConfig;
  using MoveMessage = game::v1::AzulMove;
  using ViewMessage = game::v1::AzulView;
  using EventMessage = game::v1::AzulEvent;
  using GainMessage = game::v1::AzulGain;

  /// For a new game: fills in defaults and validates the configuration.
  static Expected<azul::Config> read(const ConfigMessage& in);
  /// For a configuration that `write` has stored: a missing field means that the game began before
  /// the rule existed.
  static Expected<azul::Config> read_written(const ConfigMessage& in);
  static void write(const azul::Config& config, ConfigMessage& out);
  static Expected<azul::Move> read(const MoveMessage& in);
  /// The same move without a message (UsualMoveCodec).
  static std::optional<azul::Move> read_usual(std::string_view bytes);
  static void write(const azul::Move& move, base::WireWriter& out);
  static void write(const azul::State& state, base::WireWriter& out);
  static void write(const azul::Stage& stage, const azul::State& after, base::WireWriter& out);
  /// What a legal move of the seat on turn brings at once.
  static void explain(const azul::State& state, const azul::Move& move, base::WireWriter& out);
  template <class Sink>
  static void canonical(const azul::State& state, Sink& out) {
    write_azul_state(state, out);
  }
  static Expected<azul::State> read_canonical(const azul::Config& config, base::ByteReader& in) {
    return read_azul_state(config, in);
  }
};

}  // namespace tesela::games
