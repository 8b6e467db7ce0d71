// The server's answers about reports and acts, as text for people. Each ends with a line break.
#pragma once

#include "clients/cli/base/printed.h"
#include "tesela/admin/v1/moderation.pb.h"

namespace tesela::cli {

[[nodiscard]] Printed admin_text(const admin::v1::ListReportsResponse& page);
[[nodiscard]] Printed admin_text(const admin::v1::InspectReportResponse& report);
[[nodiscard]] Printed admin_text(const admin::v1::AssignReportResponse& assigned);
[[nodiscard]] Printed admin_text(const admin::v1::CloseReportResponse& closed);
[[nodiscard]] Printed admin_text(const admin::v1::ListActsResponse& acts);
[[nodiscard]] Printed admin_text(const admin::v1::ActOnPlayerResponse& acted);
[[nodiscard]] Printed admin_text(const admin::v1::ActOnServersResponse& acted);
[[nodiscard]] Printed admin_text(const admin::v1::VoidGameResponse& made);
[[nodiscard]] Printed admin_text(const admin::v1::UndoActResponse& undone);

}  // namespace tesela::cli
