// The message of a request to a remote bot (proto/tesela/bot/v1/bot.proto), for the server and for
// tournaments of the terminal program.
#pragma once

#include <tesela/bot/v1/bot.pb.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/games/bot_request.h"
#include "server/games/codec_parts.h"

namespace tesela::games {

/// Writes the question `id` about a position into an empty message. `config` is an encoded
/// google.protobuf.Any; `time` is how long an answer counts.
inline void write(std::uint64_t id, std::string_view config, const BotRequest& position,
                  std::chrono::milliseconds time, bot::v1::Question& out) {
  out.set_question_id(id);
  out.mutable_config()->ParseFromArray(config.data(), static_cast<int>(config.size()));
  out.set_seat(position.seat.value);
  out.mutable_view()->ParseFromString(position.view);
  const std::string url = type_url_of(position.move_type);
  out.mutable_legal_moves()->Reserve(static_cast<int>(position.legal_moves.size()));
  for (const std::string& move : position.legal_moves) {
    auto& any = *out.add_legal_moves();
    any.set_type_url(url);
    any.set_value(move);
  }
  out.set_deadline_ms(static_cast<std::uint32_t>(time.count()));
  out.set_table_id(position.game.table);
  out.set_version(position.game.version.value);
  out.set_ranked(position.game.ranked);
  out.mutable_players()->Assign(position.game.players.begin(), position.game.players.end());
}

}  // namespace tesela::games
