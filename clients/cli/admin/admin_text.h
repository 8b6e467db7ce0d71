// The server's answers to an operator, as text for people. Each ends with a line break.
#pragma once

#include "clients/cli/base/printed.h"
#include "tesela/admin/v1/admin.pb.h"

namespace tesela::cli {

[[nodiscard]] Printed admin_text(const admin::v1::GetStatusResponse& status);
[[nodiscard]] Printed admin_text(const admin::v1::ListNodesResponse& nodes);
[[nodiscard]] Printed admin_text(const admin::v1::ListTablesResponse& page);
[[nodiscard]] Printed admin_text(const admin::v1::ListPlayersResponse& page);
[[nodiscard]] Printed admin_text(const admin::v1::InspectPlayerResponse& player);
[[nodiscard]] Printed admin_text(const admin::v1::CloseTableResponse& closed);
[[nodiscard]] Printed admin_text(const admin::v1::ErasePlayerResponse& erased);
[[nodiscard]] Printed admin_text(const admin::v1::FreeBotResponse& freed);
[[nodiscard]] Printed admin_text(const admin::v1::DrainResponse& drained);
[[nodiscard]] Printed admin_text(const admin::v1::UndrainResponse& undrained);
[[nodiscard]] Printed admin_text(const admin::v1::SetLogLevelResponse& set);

}  // namespace tesela::cli
