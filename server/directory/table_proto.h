// Tables between the store and tesela.lobby.v1.
#pragma once

#include <optional>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "engine/strategy/registry.h"
#include "server/bots/remote_bots.h"
#include "server/store/store.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::lobby {

/// As everybody may see it.
[[nodiscard]] v1::Table to_proto(const store::TableRow& row);
/// As `viewer` may see it: with its invite for whoever may invite.
[[nodiscard]] v1::Table to_proto(const store::TableRow& row, std::optional<PlayerId> viewer);
[[nodiscard]] v1::StrategyDescription to_proto(const Listed& strategy);
[[nodiscard]] v1::StrategyDescription to_proto(const table::Desk::Offer& bot);

/// Private tables are meant only where `viewer` asks for the viewer's own. Error: kInvalidArgument
/// for a state or a player id that is none.
[[nodiscard]] Expected<store::TableFilter> from_proto(const v1::TableFilter& filter,
                                                      std::optional<PlayerId> viewer);

}  // namespace tesela::lobby
