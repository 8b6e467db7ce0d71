// Converts reports and acts to tesela.account.v1.
#pragma once

#include <cstdint>

#include "server/store/moderation.h"
#include "tesela/account/v1/conduct.pb.h"

namespace tesela::services {

[[nodiscard]] account::v1::ReportLine to_proto(const store::ReportLine& line);
/// As its player sees it at `now_ms`.
[[nodiscard]] account::v1::Act to_proto(const store::ActRow& row, std::int64_t now_ms);

}  // namespace tesela::services
