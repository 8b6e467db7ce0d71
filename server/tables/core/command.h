// The commands of a table, which wait in its inbox.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/limits.h"
#include "server/codec/frame.h"
#include "server/store/table_rows.h"
#include "server/tables/core/seat_command.h"

namespace tesela::tables {

/// Identifies one connection at one table.
using MemberId = Strong<struct MemberTag, std::uint64_t>;

/// Why a table closes its connections, for the Goodbye frame.
struct Goodbye {
  codec::Reason reason{codec::Reason::kServerRestart};
  std::string message{};
  bool reconnect{true};
  std::uint32_t reconnect_after_ms{};
};

/// The Goodbye of a table that ends because of an error of the store.
[[nodiscard]] inline Goodbye goodbye_after(const Error& error) {
  const bool moved = error.code == ErrorCode::kFenced;
  return {.reason = moved ? codec::Reason::kTableMoved : codec::Reason::kStoreUnavailable,
          .message = moved ? "Another server has taken the table over."
                           : "The table must be loaded again from its log.",
          .reconnect_after_ms = limits::kReconnectSoonMs};
}

/// The answer of a table that takes no commands.
[[nodiscard]] inline std::unexpected<Error> closes() {
  return refuse(ErrorCode::kUnavailable, "The table is closing; come back in a moment.");
}

/// A connection was added.
struct Arrival {
  MemberId member;
};

struct MoveCommand {
  MemberId member{};  // 0 for a bot
  // The sender; empty for a bot and for a spectator without a token. The sender's connection may
  // end before the move is played.
  std::optional<PlayerId> player{};
  std::optional<Seat> seat{};  // set when the command is handled: seats may change before
  codec::Move move;
  std::string strategy{};                        // of a bot; empty for a player
  std::chrono::steady_clock::time_point came{};  // when it was received; unset for a bot
  std::optional<Seat> claimed_by{};              // the claimant of an absent player's resignation
};

struct HintCommand {
  MemberId member;
  codec::HintRequest request;
};

struct ClaimCommand {
  MemberId member;
  codec::Claim claim;
};

struct ChangeSeats {
  SeatCommand command;
  std::move_only_function<void(Expected<store::TableRow>)> answer;
};

/// Why a command was refused, for the Refusal frame.
struct Refusal {
  codec::Reason reason;
  std::string message;
};

using Command = std::variant<Arrival, MoveCommand, HintCommand, ClaimCommand, ChangeSeats>;

}  // namespace tesela::tables
