// A table as an operator sees it, as text.
#pragma once

#include <string>

#include "clients/cli/base/printed.h"
#include "tesela/admin/v1/table.pb.h"

namespace tesela::cli {

[[nodiscard]] std::string yes_or_no(bool is);
/// "in play".
[[nodiscard]] std::string state_text(lobby::v1::TableState state);

// As in admin_text.h.
[[nodiscard]] Printed admin_text(const admin::v1::InspectTableResponse& table);
[[nodiscard]] Printed admin_text(const admin::v1::IssueWatchPassResponse& issued);

}  // namespace tesela::cli
