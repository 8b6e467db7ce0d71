// Deletes old changes of tables (FORMAT.md, "One lobby").
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>

#include "engine/core/result.h"
#include "server/store/postgres/connection/attempts.h"

namespace tesela::store::postgres {

/// As TableChanges::trim. Throws Failure.
boost::asio::awaitable<Expected<std::size_t>> trim_changes(Attempt& attempt);

}  // namespace tesela::store::postgres
