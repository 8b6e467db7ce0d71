// Parts shared by codecs that write without messages (WireCodec).
#pragma once

#include <tesela/game/v1/grid.pb.h>

#include <array>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

#include "engine/core/grid.h"
#include "server/base/wire_writer.h"
#include "server/games/game_codec.h"

namespace tesela::games {

/// Writes the motions of a stage, whose field of messages Motion has this number.
inline void write_motions(std::uint32_t field, std::span<const Motion> motions,
                          base::WireWriter& out) {
  using Message = game::v1::Motion;
  static_assert(Message::kFromFieldNumber == 1 && Message::kToFieldNumber == 2 &&
                Message::kMergedFieldNumber == 3);
  constexpr std::uint16_t kSmall = 128;
  for (const auto& motion : std::views::reverse(motions)) {
    if (motion.from < kSmall && motion.to < kSmall) {
      out.small_message(field, std::array{static_cast<std::uint8_t>(motion.from),
                                          static_cast<std::uint8_t>(motion.to),
                                          static_cast<std::uint8_t>(motion.merged ? 1 : 0)});
      continue;
    }
    const auto end = out.mark();
    out.number(Message::kMergedFieldNumber, motion.merged ? 1 : 0);
    out.number(Message::kToFieldNumber, motion.to);
    out.number(Message::kFromFieldNumber, motion.from);
    out.message(field, end);
  }
}

/// Writes the fields of an event: its move, its stages, and the position `after` them.
template <WireCodec Codec>
void write_event(const typename Codec::Game::Move& move,
                 const std::vector<typename Codec::Game::Stage>& stages,
                 const typename Codec::Game::State& after, base::WireWriter& out) {
  using Message = typename Codec::EventMessage;
  auto end = out.mark();
  Codec::write(after, out);
  out.message(Message::kViewFieldNumber, end);
  for (const auto& stage : std::views::reverse(stages)) {
    end = out.mark();
    Codec::write(stage, after, out);
    out.message(Message::kStagesFieldNumber, end);
  }
  end = out.mark();
  Codec::write(move, out);
  out.message(Message::kMoveFieldNumber, end);
}

}  // namespace tesela::games
