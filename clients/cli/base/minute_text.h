// A moment as people read it.
#pragma once

#include <google/protobuf/timestamp.pb.h>

#include <string>

namespace tesela::cli {

/// UTC, as in "2026-11-21 07:22".
[[nodiscard]] std::string minute_text(const google::protobuf::Timestamp& time);

}  // namespace tesela::cli
