// Verifies the record of a game: executes it again from its seeds and moves, and checks the
// commitment. Pure: any thread.
#pragma once

#include "tesela/lobby/v1/history.pb.h"

namespace tesela::execution {

/// The verdict on a finished game: the first check that failed, if any, and the fields of the
/// record that are not checked. A record without a server's seed, from before there were
/// commitments, is executed, and the verdict says that there is no commitment.
[[nodiscard]] lobby::v1::VerifyResponse verify(const lobby::v1::GameRecord& record);

}  // namespace tesela::execution
