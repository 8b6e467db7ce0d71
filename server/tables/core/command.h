// What waits in a table's inbox.
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
#include "server/store/store.h"
#include "server/tables/core/seat_command.h"

namespace tesela::tables {

/// One connection at one table.
using MemberId = Strong<struct MemberTag, std::uint64_t>;

/// Why a table ends its connections.
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

/// A connection has come.
struct Arrival {
  MemberId member;
};

struct MoveCommand {
  MemberId member{};  // none: a bot
  // Who sent it; none: a bot, or somebody who only watches. Their stream may end before it is
  // played.
  std::optional<PlayerId> player{};
  std::optional<Seat> seat{};  // of a player: the one that they have when it is played
  codec::Move move;
  std::string strategy{};                        // of a bot
  std::chrono::steady_clock::time_point came{};  // not of a bot
};

struct HintCommand {
  MemberId member;
  codec::HintRequest request;
};

struct ChangeSeats {
  SeatCommand command;
  std::move_only_function<void(Expected<store::TableRow>)> answer;
};

/// Why a command was not carried out.
struct Refusal {
  codec::Reason reason;
  std::string message;
};

using Command = std::variant<Arrival, MoveCommand, HintCommand, ChangeSeats>;

}  // namespace tesela::tables
