// The database of a data folder is opened for a server.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/data_folder.h"

namespace tesela::store {

/// The connection that writes. A new database is made; an older one is brought to this schema, and
/// written anew once if its pages have no sums. Errors: those of SqliteStore::open. Throws
/// StorageError.
[[nodiscard]] Expected<Connection> open_writer(const DataFolder& folder,
                                               const std::vector<std::string>& own_keys);

/// A connection that writes, to a database of any schema. Errors and exceptions likewise.
[[nodiscard]] Expected<Connection> open_as_it_is(const DataFolder& folder,
                                                 const std::vector<std::string>& own_keys);

}  // namespace tesela::store
