// Converts 2248 to and from its messages (proto/tesela/game/v1/g2248.proto). Pure: any thread.
// Errors of `read`: kInvalidArgument, with what is wrong.
#pragma once

#include <tesela/game/v1/g2248.pb.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/g2248/g2248.h"
#include "server/base/wire_writer.h"
#include "server/games/codec_parts.h"

namespace tesela::games {

struct G2248Codec {
  using Game = g2248::Game;
  using ConfigMessage = game::v1::Game2248Config;
  using MoveMessage = game::v1::Game2248Move;
  using ViewMessage = game::v1::Game2248View;
  using EventMessage = game::v1::Game2248Event;
  using GainMessage = game::v1::Game2248Gain;

  static constexpr std::uint32_t kEventCost = 2;

  /// Fills in defaults and validates the configuration.
  static Expected<g2248::Config> read(const ConfigMessage& in);
  static void write(const g2248::Config& config, ConfigMessage& out);
  /// Refuses values beyond any board; the rules check the rest.
  static Expected<g2248::Move> read(const MoveMessage& in);
  /// The same move without a message (UsualMoveCodec).
  static std::optional<g2248::Move> read_usual(std::string_view bytes);
  static void write(const g2248::Move& move, base::WireWriter& out);
  static void write(const g2248::State& state, base::WireWriter& out);
  static void write(const g2248::Stage& stage, const g2248::State& after, base::WireWriter& out);
  /// What a legal move of the seat on turn brings at once.
  static void explain(const g2248::State& state, const g2248::Move& move, base::WireWriter& out);
  /// Writes the canonical bytes of a state (RULES.md). Sink: Fnv or base::ByteWriter.
  template <class Sink>
  static void canonical(const g2248::State& state, Sink& out);
  /// Reads them back. Error: kCorrupt for bytes that are no state of such a game.
  static Expected<g2248::State> read_canonical(const g2248::Config& config, base::ByteReader& in);
};

}  // namespace tesela::games
