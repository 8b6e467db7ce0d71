// How a table is run (tesela.lobby.v1.TableOptions) as plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "server/games/clock.h"

namespace tesela::lobby::v1 {
class TableOptions;
}

namespace tesela::codec {

/// tesela.lobby.v1.Talk.
enum class Talk : std::uint8_t { kFree, kPhrases, kOff };

/// Bots that take the free seats of a table that has waited too long.
struct BotFill {
  std::chrono::milliseconds after{};  // the table was made
  std::uint32_t level{};              // 0: that of the weakest
};

struct TableOptions {
  std::optional<std::chrono::milliseconds> bot_pace{};  // none: the server's
  bool ranked{};                                        // the result counts; no hints
  games::ClockRules clock{};
  std::string autoplay{};  // moves for a player whose time is over, or who has left
  std::uint32_t timeouts_max{};
  Talk talk{};
  bool invite_only{};
  bool spectators_off{};
  std::optional<BotFill> bot_fill{};
  bool practice{};  // moves may be taken back
};

/// Errors: kInvalidArgument, saying what would be right.
[[nodiscard]] Expected<TableOptions> read(const lobby::v1::TableOptions& options);

/// The same options without what this server does not know: what is stored and shown has no bytes
/// but those that were understood.
[[nodiscard]] lobby::v1::TableOptions known(const lobby::v1::TableOptions& options);

/// What a table's row holds. Errors: kCorrupt.
[[nodiscard]] Expected<TableOptions> decode_table_options(std::string_view bytes);

}  // namespace tesela::codec
