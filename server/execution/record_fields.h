// Checks the fields of a game's record that executing it does not check: the table and the times.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "tesela/lobby/v1/history.pb.h"

namespace tesela::execution {

/// Whether the fields agree with the bytes of the commitment, with the contributions to the dice,
/// and with each other. Error: kCorrupt, with the first contradiction.
[[nodiscard]] Expected<void> check_fields(const lobby::v1::GameRecord& record);

/// The fields that neither this nor the execution checks, each as "FIELD: what is not known of it".
[[nodiscard]] std::vector<std::string> not_covered(const lobby::v1::GameRecord& record);

}  // namespace tesela::execution
