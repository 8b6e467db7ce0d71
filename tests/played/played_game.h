// Real games for benchmarks and tests: played by strategies, from seeds, to their records.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.h"
#include "server/codec/record.h"
#include "server/games/match.h"
#include "server/store/table_rows.h"

namespace tesela::played {

/// The id that a client gives to its move, which becomes `version`.
using MoveIds = std::function<std::string(Seat seat, Version version)>;
/// As the page and the terminal program name moves: 16 random digits, and a number that counts.
[[nodiscard]] MoveIds counted_ids(std::mt19937_64& random);
/// 32 random digits for each move, as the page and the terminal program did before, and as clients
/// with libraries for random ids do.
[[nodiscard]] MoveIds random_ids(std::mt19937_64& random);
/// The version that the move was decided on, as `tesela load` names moves.
[[nodiscard]] MoveIds version_ids();

/// A configuration of 2048 with the largest board, on which games are long: an encoded Any.
[[nodiscard]] std::string large_2048();

/// How a game is played.
struct Plan {
  std::string game{};
  std::string config{};                   // an encoded google.protobuf.Any; empty: all defaults
  std::string strategy{"random"};         // that chooses all moves
  std::array<std::string, 4> bots{};      // the strategy's name in the records of a seat; empty: a
                                          // player's
  MoveIds ids{};                          // of players' moves; bots' are named as tables do
  std::int64_t at_ms{1'700'000'000'000};  // of the beginning, Unix time
  double pace_ms{900};                    // the median time for a move
  std::size_t moves_max{100'000};         // above: the game is broken off
  bool clocked{};                         // moves say what their clock was charged
  bool practice{};                        // the player takes moves back now and then
};

/// A game as the log has it.
struct PlayedGame {
  store::TableRow table;  // without id, owner and players
  std::vector<codec::Record> records;
  std::optional<games::FinalResult> result;  // empty: broken off

  [[nodiscard]] std::vector<std::string> encoded() const;
};

/// Plays the same game for the same random numbers. Throws std::runtime_error for a plan that the
/// server would refuse.
[[nodiscard]] PlayedGame play(const Plan& plan, std::mt19937_64& random);

}  // namespace tesela::played
