// Who sits where, for people.
#pragma once

#include <string>
#include <vector>

#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

/// The players' names by seat; empty for a free seat.
[[nodiscard]] std::vector<std::string> names_of(const play::v1::Seating& seating);

}  // namespace tesela::cli
