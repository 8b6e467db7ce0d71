// The server's answers to an operator, as text for people. Each ends with a line break.
#pragma once

#include <string>

#include "tesela/admin/v1/admin.pb.h"

namespace tesela::cli {

[[nodiscard]] std::string admin_text(const admin::v1::GetStatusResponse& status);
[[nodiscard]] std::string admin_text(const admin::v1::ListNodesResponse& nodes);
[[nodiscard]] std::string admin_text(const admin::v1::ListTablesResponse& page);
[[nodiscard]] std::string admin_text(const admin::v1::InspectTableResponse& table);
[[nodiscard]] std::string admin_text(const admin::v1::ListPlayersResponse& page);
[[nodiscard]] std::string admin_text(const admin::v1::InspectPlayerResponse& player);
[[nodiscard]] std::string admin_text(const admin::v1::CloseTableResponse& closed);
[[nodiscard]] std::string admin_text(const admin::v1::ErasePlayerResponse& erased);
[[nodiscard]] std::string admin_text(const admin::v1::DrainResponse& drained);
[[nodiscard]] std::string admin_text(const admin::v1::SetLogLevelResponse& set);

}  // namespace tesela::cli
