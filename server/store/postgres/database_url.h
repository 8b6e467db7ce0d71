// The database that an option names.
#pragma once

#include <string>

#include "engine/core/result.h"

namespace tesela::store::postgres {

/// The URL that `database` is, postgres://…, or that the file of this name holds. Errors, each a
/// sentence that names `option` and shows nothing of the URL: kNotFound, kInvalidArgument. libpq
/// can parse what is returned, and takes no part of the password for another part.
[[nodiscard]] Expected<std::string> database_url(const std::string& database,
                                                 const std::string& option);

}  // namespace tesela::store::postgres
