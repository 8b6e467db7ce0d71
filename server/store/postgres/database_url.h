// The database that an option names.
#pragma once

#include <string>

#include "engine/core/result.h"

namespace tesela::store::postgres {

/// The URL that `database` is, postgres://…, or that the file of this name holds. Errors, each a
/// sentence without what the file holds, which names `option`: kNotFound, kInvalidArgument.
[[nodiscard]] Expected<std::string> database_url(const std::string& database,
                                                 const std::string& option);

}  // namespace tesela::store::postgres
