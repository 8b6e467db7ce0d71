// The requests of a table to its bots: a search on a bot thread, or a request to a remote bot.
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

/// The moves that a strategy plans to play next (Strategy::plan): a std::vector of the game's
/// moves. Empty if it does not plan.
using Plan = std::any;

/// A move that a strategy compared with others.
struct JudgedMove {
  std::string move;  // the game's message, encoded
  std::optional<double> value{};
  std::string gain{};  // as in BotReply
};

/// The move that a strategy chose.
struct BotReply {
  std::string strategy;  // its name
  std::string move;      // the game's message, encoded
  std::optional<double> value;
  std::string measure;  // what `value` counts, such as "points"
  std::string gain{};   // what it brings at once: an encoded google.protobuf.Any, or empty
  Plan plan{};          // after the move
  std::vector<JudgedMove> others{};  // for a hint: the next best moves (engine/strategy/advise.h)
};

/// Runs the strategy. Owns all its data: may run on any thread, once.
using SearchTask = std::move_only_function<BotReply(Rng& rng, const Budget& budget)>;

/// A strategy's judgement of a position and of the move that was played there.
struct Judgement {
  JudgedMove played;
  std::vector<JudgedMove> best;  // the best first
};

/// As SearchTask, for a Judgement. It has a number of nodes of its own.
using JudgeTask = std::move_only_function<Judgement(Rng& rng, const Budget& budget)>;

/// Checks a move (the game's message, encoded) and returns its canonical encoding. Owns all its
/// data: may run on any thread, once. Errors: kInvalidArgument (not a move), kIllegalMove.
using Judge = std::move_only_function<Expected<std::string>(std::string_view move)>;

/// The game in which a position is; empty in a tournament.
struct BotGame {
  std::string table;  // the id's text
  Version version{};
  bool ranked = false;
  std::vector<std::string> players{};  // the names, by seat
};

/// A position, for a remote bot.
struct BotRequest {
  Seat seat;                             // on turn
  std::string view;                      // the seat's view: an encoded google.protobuf.Any
  std::string move_type;                 // full name of the message of a move
  std::vector<std::string> legal_moves;  // encoded; the first limits::kRequestMovesMax of them
  Judge judge;
  BotGame game{};
};

}  // namespace tesela::games
