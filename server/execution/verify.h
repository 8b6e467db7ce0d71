// Verifies the record of a game: executes it again from its seeds and moves, and checks the
// commitment. Pure: any thread.
#pragma once

#include "tesela/lobby/v1/history.pb.h"

namespace tesela::execution {

/// The verdict on a finished game: the first check that failed, if any, and the fields of the
/// record that are not checked. A record without the server's seed and commitment is not true: that
/// of a game from before there were commitments cannot be told from one whose promise was taken
/// out.
[[nodiscard]] lobby::v1::VerifyResponse verify(const lobby::v1::GameRecord& record);

/// Whether a digest is missing, as those of a packed log are but for the last.
[[nodiscard]] bool lacks_digests(const lobby::v1::GameRecord& record);

/// Executes the record of a finished game to set the digests that a packed log does not keep, those
/// of all positions but the last. If the last one differs then, or the rules refuse a move, sets
/// `rules_changed` instead.
void add_digests(lobby::v1::GameRecord& record);

}  // namespace tesela::execution
