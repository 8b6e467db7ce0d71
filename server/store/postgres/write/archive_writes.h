// Packed logs in place of the events of games that are over.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/archive/packed_log.h"
#include "server/store/postgres/connection/attempts.h"

namespace tesela::store::postgres {

// As the functions of writes.h; contracts and errors as in GameArchives. They lock the row of the
// table, not its head: no append waits for them. Of two servers that pack the same log, the second
// is refused (kFenced).

boost::asio::awaitable<Expected<void>> archive(Attempt& attempt, TableId table,
                                               const std::optional<archive::PackedLog>& packed,
                                               std::uint64_t snapshots_apart);
boost::asio::awaitable<Expected<void>> drop_packed(Attempt& attempt, TableId table);

}  // namespace tesela::store::postgres
