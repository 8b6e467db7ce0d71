// The fields of a record beside what is executed: the table as the lobby shows it, and times.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "tesela/lobby/v1/history.pb.h"

namespace tesela::execution {

/// Whether they agree with the bytes that the commitment covers, with what was added to the dice,
/// and with each other. Error: kCorrupt, with the first thing that does not hold.
[[nodiscard]] Expected<void> check_fields(const lobby::v1::GameRecord& record);

/// What neither this nor playing the game again covers: each a field of the record, a colon, and
/// what is not known of it.
[[nodiscard]] std::vector<std::string> not_covered(const lobby::v1::GameRecord& record);

}  // namespace tesela::execution
