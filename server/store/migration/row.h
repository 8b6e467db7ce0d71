// A row on its way from SQLite to PostgreSQL.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tesela::store::migration {

/// The values in PostgreSQL's binary format (postgres/connection/binary.h), as both sides give
/// them; none: NULL.
using Row = std::vector<std::optional<std::string>>;

}  // namespace tesela::store::migration
