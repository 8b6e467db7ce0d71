// Expected failures are values: every fallible function of Tesela returns Expected<T>, with a code
// for programs and a sentence for people.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace tesela {

/// Why something was refused. The edges map it to gRPC codes and to tesela.play.v1.Reason.
enum class ErrorCode {
  kInvalidArgument,    // the request can never work: a bad configuration, a broken frame
  kUnauthenticated,    // the token is missing or invalid
  kSessionEnded,       // the session of the token was ended
  kNotFound,           // no such table or player
  kNotSeated,          // a spectator tried to move
  kNotYourTurn,        // another seat is on turn
  kIllegalMove,        // the rules do not allow the move
  kGameOver,           // the game has ended
  kNotStarted,         // seats are free: the game has not begun
  kSeatTaken,          // the seat is taken, or all seats are
  kAlreadyTried,       // the player's one try at a daily game is used up
  kAlreadyOffered,     // another stream offers this bot
  kTaken,              // somebody has it already: a credential
  kLastCredential,     // without it nobody could sign in to the account again
  kTooSoon,            // the same was done lately, and may be done again later
  kNotShownYet,        // a try at a daily game is the player's alone until the day is over
  kNotOver,            // the game is in play, or never began
  kStarted,            // the game has begun: seats no longer change
  kPermissionDenied,   // the caller may not do that
  kSuspended,          // an operator has suspended the player for a time
  kBanned,             // an operator has banned the player
  kPaused,             // an operator has paused it for everybody
  kTimeOver,           // the clock has run out
  kInviteNeeded,       // the table is private, and the invite is missing or wrong
  kNoSpectators,       // only its players may see the table
  kNotPractice,        // there is no undo at this table
  kStale,              // for an earlier version of the table
  kResourceExhausted,  // a named limit is reached; later may work
  kUnavailable,        // stopping, or the store cannot be written; later may work
  kFenced,             // another owner has the table, or the version is taken
  kRulesChanged,       // a finished game was played by rules that this server does not have
  kCorrupt,            // stored data is damaged
  kInternal,           // a bug, or an unknown outcome
};

/// A refusal. `message` is one English sentence without a line break, fit to be shown to a player:
/// it says what was wrong and, where that helps, what would be right.
struct Error {
  ErrorCode code;
  std::string message;

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Expected = std::expected<T, Error>;

/// Reads `return refuse(ErrorCode::kNotFound, "…")` in a function that returns any Expected.
[[nodiscard]] inline std::unexpected<Error> refuse(ErrorCode code, std::string message) {
  return std::unexpected<Error>(Error{code, std::move(message)});
}

}  // namespace tesela
