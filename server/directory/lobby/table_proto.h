// Converts tables between the store and tesela.lobby.v1.
#pragma once

#include <optional>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "engine/strategy/registry.h"
#include "server/bots/remote_bots.h"
#include "server/store/store.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::directory {

/// As any caller may see it: without its invite.
[[nodiscard]] lobby::v1::Table to_proto(const store::TableRow& row);
/// As `viewer` may see it: with its invite if tables::may_invite.
[[nodiscard]] lobby::v1::Table to_proto(const store::TableRow& row, std::optional<PlayerId> viewer);
[[nodiscard]] lobby::v1::StrategyDescription to_proto(const Listed& strategy);
[[nodiscard]] lobby::v1::StrategyDescription to_proto(const bots::RemoteBots::Offer& bot);

/// Includes private tables only if `viewer` asks for the viewer's own tables. Error:
/// kInvalidArgument for an invalid state or player id.
[[nodiscard]] Expected<store::TableFilter> from_proto(const lobby::v1::TableFilter& filter,
                                                      std::optional<PlayerId> viewer);

}  // namespace tesela::directory
