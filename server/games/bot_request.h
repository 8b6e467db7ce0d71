// What a table asks of its bots: a search on a bot thread, or a request to a remote bot.
#pragma once

#include <any>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "engine/core/rng.h"
#include "engine/strategy/strategy.h"

namespace tesela::games {

/// How a strategy means to play on (Strategy::plan): a std::vector of the game's moves, at most as
/// many as one game has. Empty unless it plans.
using Plan = std::any;

/// What a strategy would play.
struct BotReply {
  std::string strategy;  // its name
  std::string move;      // the game's message, encoded
  std::optional<double> value;
  std::string measure;  // what `value` counts, such as "points"
  Plan plan{};          // after the move
};

/// Asks the strategy. Holds all it needs: may run on any thread, once.
using SearchTask = std::move_only_function<BotReply(Rng& rng, const Budget& budget)>;

/// Judges a move (the game's message, encoded): gives it as canonically encoded. Holds all it
/// needs: may run on any thread, once. Errors: kInvalidArgument (not a move), kIllegalMove.
using Judge = std::move_only_function<Expected<std::string>(std::string_view move)>;

/// A position as it is put to a remote bot.
struct BotRequest {
  Seat seat;                             // is on turn
  std::string view;                      // what it sees: an encoded google.protobuf.Any
  std::string move_type;                 // full name of the message that a move is
  std::vector<std::string> legal_moves;  // encoded; the first limits::kRequestMovesMax of them
  Judge judge;
};

}  // namespace tesela::games
