// Converts SameGame to and from its messages (proto/tesela/game/v1/samegame.proto). Pure: any
// thread. Errors of `read`: kInvalidArgument, with what is wrong.
#pragma once

#include <tesela/game/v1/samegame.pb.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/samegame/samegame.h"
#include "server/base/wire_writer.h"
#include "server/games/codec_parts.h"

namespace tesela::games {

struct SameGameCodec {
  using Game = samegame::Game;
  using ConfigMessage = game::v1::SameGameConfig;
  using MoveMessage = game::v1::SameGameMove;
  using ViewMessage = game::v1::SameGameView;
  using EventMessage = game::v1::SameGameEvent;
  using GainMessage = game::v1::SameGameGain;

  /// Groups are searched on the whole board.
  static constexpr std::uint32_t kEventCost = 4;
  static constexpr std::string_view kNotCovered = "moves.move.cell: which cell of the group";

  /// Fills in defaults and validates the configuration.
  static Expected<samegame::Config> read(const ConfigMessage& in);
  static void write(const samegame::Config& config, ConfigMessage& out);
  static Expected<samegame::Move> read(const MoveMessage& in);
  /// The same move without a message (UsualMoveCodec).
  static std::optional<samegame::Move> read_usual(std::string_view bytes);
  static void write(const samegame::Move& move, base::WireWriter& out);
  static void write(const samegame::State& state, base::WireWriter& out);
  static void write(const samegame::Stage& stage, const samegame::State& after,
                    base::WireWriter& out);
  /// What a legal move of the seat on turn brings at once.
  static void explain(const samegame::State& state, const samegame::Move& move,
                      base::WireWriter& out);
  /// Writes the canonical bytes of a state (RULES.md). Sink: Fnv or base::ByteWriter.
  template <class Sink>
  static void canonical(const samegame::State& state, Sink& out);
  /// Reads them back. Error: kCorrupt for bytes that are no state of such a game.
  static Expected<samegame::State> read_canonical(const samegame::Config& config,
                                                  base::ByteReader& in);
};

}  // namespace tesela::games
