// Converts 2048 to and from its messages (proto/tesela/game/v1/g2048.proto). Pure: any thread.
// Errors of `read`: kInvalidArgument, with what is wrong.
#pragma once

#include <tesela/game/v1/g2048.pb.h>

#include <optional>
#include <string_view>

#include "engine/g2048/g2048.h"
#include "server/base/wire_writer.h"
#include "server/games/codec_parts.h"

namespace tesela::games {

struct G2048Codec {
  using Game = g2048::Game;
  using ConfigMessage = game::v1::Game2048Config;
  using MoveMessage = game::v1::Game2048Move;
  using ViewMessage = game::v1::Game2048View;
  using EventMessage = game::v1::Game2048Event;
  using GainMessage = game::v1::Game2048Gain;

  /// Fills in defaults and validates the configuration.
  static Expected<g2048::Config> read(const ConfigMessage& in);
  static void write(const g2048::Config& config, ConfigMessage& out);
  static Expected<g2048::Move> read(const MoveMessage& in);
  /// The same move without a message (UsualMoveCodec).
  static std::optional<g2048::Move> read_usual(std::string_view bytes);
  static void write(const g2048::Move& move, base::WireWriter& out);
  static void write(const g2048::State& state, base::WireWriter& out);
  static void write(const g2048::Stage& stage, const g2048::State& after, base::WireWriter& out);
  /// What a legal move of the seat on turn brings at once.
  static void explain(const g2048::State& state, const g2048::Move& move, base::WireWriter& out);
  /// Writes the canonical bytes of a state (RULES.md). Sink: Fnv or base::ByteWriter.
  template <class Sink>
  static void canonical(const g2048::State& state, Sink& out);
  /// Reads them back. Error: kCorrupt for bytes that are no state of such a game.
  static Expected<g2048::State> read_canonical(const g2048::Config& config, base::ByteReader& in);
};

}  // namespace tesela::games
