// What the servers on one database must have in common: their keys and the time.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <vector>

#include "engine/core/result.h"
#include "server/store/key_fingerprint.h"
#include "server/store/postgres/connection/connection.h"

namespace tesela::store::postgres {

/// Refuses a server whose clock is more than limits::kClockOffMax off the database's, or one of
/// whose keys is not that of the servers before. The first server's keys count. Error, with a
/// sentence that says what to do: kInvalidArgument. Throws Failure.
boost::asio::awaitable<Expected<void>> check_same_settings(Connection& connection,
                                                           const std::vector<KeyFingerprint>& keys,
                                                           Time until);

}  // namespace tesela::store::postgres
