// Tables between the store and tesela.lobby.v1.
#pragma once

#include "engine/core/result.h"
#include "server/store/store.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::lobby {

[[nodiscard]] v1::Table to_proto(const store::TableRow& row);

/// Error: kInvalidArgument for a state or a player id that is none.
[[nodiscard]] Expected<store::TableFilter> from_proto(const v1::TableFilter& filter);

}  // namespace tesela::lobby
