// Whether the pages of a database have sums (checked_files.h).
#pragma once

#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// Of a connection that has read. Throws StorageError.
[[nodiscard]] bool has_page_sums(Connection& connection);

/// An empty database will have sums, and what VACUUM INTO writes. Throws StorageError.
void keep_page_sums(Connection& connection);

/// Before an online backup: the copy will have sums if `source` has. Throws StorageError.
void copy_page_sums(Connection& source, Connection& copy);

}  // namespace tesela::store
