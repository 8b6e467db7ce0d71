// The id of a rematch.
#pragma once

#include "engine/core/ids.h"

namespace tesela::tables {

/// Of the table where the game of `over` goes on once more. It follows from the old id, so that all
/// who ask for a rematch come to the same table: the first 63 bits of the SHA-256 of
/// "tesela rematch v1" and the id's text.
[[nodiscard]] TableId rematch_id(TableId over);

}  // namespace tesela::tables
