// Converts between what the database and the servers say of servers, and tesela.admin.v1.
#pragma once

#include <string>

#include "server/store/nodes.h"
#include "server/store/ownership.h"
#include "tesela/admin/v1/admin.pb.h"
#include "tesela/node/v1/node.pb.h"

namespace tesela::ops {

/// 13 characters, as ids.
[[nodiscard]] std::string to_text(store::LifeId life);

/// Without what the server says of itself.
[[nodiscard]] admin::v1::Node to_proto(const store::NodeRow& row);

[[nodiscard]] admin::v1::GetStatusResponse to_status(const node::v1::GetNodeResponse& said);
/// The other way round, but for the life and what an operator is not shown.
[[nodiscard]] node::v1::GetNodeResponse to_node(const admin::v1::GetStatusResponse& status);

}  // namespace tesela::ops
