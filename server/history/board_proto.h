// Boards as the wire has them.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "server/store/boards.h"
#include "tesela/lobby/v1/leaderboard.pb.h"

namespace tesela::history {

/// A day as a request names it; today when it does not. Error: kInvalidArgument.
[[nodiscard]] Expected<store::Day> day_of(const std::string& date);

/// A board with all that a request may leave out. Errors: kInvalidArgument for an unknown game or
/// kind, a configuration that its rules refuse or that the board does not have, and a date that is
/// none.
[[nodiscard]] Expected<store::BoardKey> from_proto(const lobby::v1::Board& board);

[[nodiscard]] lobby::v1::Board to_proto(const store::BoardKey& key);
[[nodiscard]] lobby::v1::BoardEntry to_proto(const store::BoardEntry& entry, store::BoardKind kind);
[[nodiscard]] lobby::v1::Rating to_proto(const store::Rating& rating, std::uint32_t games);

}  // namespace tesela::history
