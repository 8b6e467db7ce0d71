// Converts values of the server, and what servers say of themselves, to and from tesela.admin.v1.
#pragma once

#include <spdlog/common.h>

#include <optional>

#include "engine/core/result.h"
#include "server/store/nodes.h"
#include "server/store/ownership.h"
#include "server/store/store.h"
#include "server/tables/table.h"
#include "tesela/admin/v1/admin.pb.h"
#include "tesela/node/v1/node.pb.h"

namespace tesela::ops {

/// A table; `live` is empty if it is not loaded.
[[nodiscard]] admin::v1::TableSummary to_proto(const store::TableRow& row,
                                               const std::optional<tables::LiveView>& live);
/// Adds the live state of a loaded table.
void add_live_view(const tables::LiveView& live, admin::v1::InspectTableResponse& response);

[[nodiscard]] admin::v1::PlayerSummary to_proto(const store::PlayerRow& row);

[[nodiscard]] admin::v1::LogLevel to_proto(spdlog::level::level_enum level);
/// Error: kInvalidArgument for an unknown level.
[[nodiscard]] Expected<spdlog::level::level_enum> from_proto(admin::v1::LogLevel level);

/// Without what the server says of itself.
[[nodiscard]] admin::v1::Node to_proto(const store::NodeRow& row);

[[nodiscard]] admin::v1::GetStatusResponse to_status(const node::v1::GetNodeResponse& said);
/// The other way round, but for the life and what an operator is not shown.
[[nodiscard]] node::v1::GetNodeResponse to_node(const admin::v1::GetStatusResponse& status);

}  // namespace tesela::ops
