// Converts values of the server to and from tesela.admin.v1.
#pragma once

#include <spdlog/common.h>

#include <optional>

#include "engine/core/result.h"
#include "server/store/store.h"
#include "server/tables/table.h"
#include "tesela/admin/v1/admin.pb.h"

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

}  // namespace tesela::ops
