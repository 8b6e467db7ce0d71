// The options of a table (tesela.lobby.v1.TableOptions) as plain values.
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

/// When bots take the free seats of a table that waits for players.
struct BotFill {
  std::chrono::milliseconds after{};  // the creation of the table
  std::uint32_t level{};              // 0: the lowest level
};

struct TableOptions {
  std::optional<std::chrono::milliseconds> bot_pace{};  // empty: the server's default
  bool ranked{};                                        // the result counts; no hints
  games::ClockRules clock{};
  std::string autoplay{};  // the strategy for absent players
  std::uint32_t timeouts_max{};
  Talk talk{};
  bool invite_only{};
  bool spectators_off{};
  std::optional<BotFill> bot_fill{};
  bool practice{};  // counts for no board
  bool matched{};   // the matchmaker has made the table, and chosen its players
};

/// Errors: kInvalidArgument, saying what would be right.
[[nodiscard]] Expected<TableOptions> read(const lobby::v1::TableOptions& options);

/// The same options without unknown fields, so that nothing is stored or shown that was not
/// checked.
[[nodiscard]] lobby::v1::TableOptions known(const lobby::v1::TableOptions& options);

/// Decodes the options of a table's row. Error: kCorrupt.
[[nodiscard]] Expected<TableOptions> decode_table_options(std::string_view bytes);

}  // namespace tesela::codec
