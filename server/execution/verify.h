// Verifies the record of a game: executes it again from its seeds and moves, and checks the
// commitment. Pure: any thread.
#pragma once

#include "tesela/lobby/v1/history.pb.h"

namespace tesela::execution {

/// The verdict on a finished game: the first check that failed, if any, and the fields of the
/// record that are not checked. A record without the server's seed and commitment is not true: that
/// of a game from before there were commitments (store/FORMAT.md, schemas 1 and 2) cannot be told
/// from one whose promise was taken out.
[[nodiscard]] lobby::v1::VerifyResponse verify(const lobby::v1::GameRecord& record);

}  // namespace tesela::execution
