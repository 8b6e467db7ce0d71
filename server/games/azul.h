// Azul as messages (proto/tesela/game/v1/azul.proto).
#pragma once

#include <tesela/game/v1/azul.pb.h>

#include <vector>

#include "engine/azul/azul.h"
#include "server/games/codec_parts.h"

namespace tesela::games {

struct AzulCodec {
  using Game = azul::Game;
  using ConfigMessage = game::v1::AzulConfig;
  using MoveMessage = game::v1::AzulMove;
  using ViewMessage = game::v1::AzulView;
  using EventMessage = game::v1::AzulEvent;

  /// Of a game that is to begin: fills in what is left out and has the rules judge the rest.
  static Expected<azul::Config> read(const ConfigMessage& in);
  /// Of a game that `write` has written: what is not there means a rule that was not there yet.
  static Expected<azul::Config> read_written(const ConfigMessage& in);
  static void write(const azul::Config& config, ConfigMessage& out);
  static Expected<azul::Move> read(const MoveMessage& in);
  static void write(const azul::Move& move, MoveMessage& out);
  static void write(const azul::State& state, ViewMessage& out);
  static void write(const azul::Move& move, const std::vector<azul::Stage>& stages,
                    const azul::State& after, EventMessage& out);
  /// FORMAT.md states the bytes.
  static void digest(const azul::State& state, Fnv& out);
};

}  // namespace tesela::games
