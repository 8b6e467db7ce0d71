// Whether a record is true: the game is executed again from its seeds and its moves, and every
// promise is checked. Pure: any thread.
#pragma once

#include "tesela/lobby/v1/history.pb.h"

namespace tesela::execution {

/// The verdict on a finished game; it names the first thing that does not hold, and always what it
/// does not cover: a field of the record is checked, or on that list. A record without a server's
/// seed (of a game from before there were commitments) is executed, and the verdict says that
/// nothing was promised.
[[nodiscard]] lobby::v1::VerifyResponse verify(const lobby::v1::GameRecord& record);

}  // namespace tesela::execution
