// The first connection of a store to its database.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/store/key_fingerprint.h"
#include "server/store/postgres/connection/connection.h"

namespace tesela::store::postgres {

/// Lets a connection give up what waits for too long (Connection::watch). Until it is cancelled.
boost::asio::awaitable<void> keep_watching(Connection& connection);

/// Whether a connection, which is open, keeps one process of PostgreSQL: a pooler may give its
/// statements to several. Error, with a sentence: kInvalidArgument. Throws Failure.
boost::asio::awaitable<Expected<void>> check_pooler(Connection& connection, std::string url,
                                                    Time until);

/// Connects before `until`, brings the schema to this version, and compares the clock and the keys
/// with those of the other servers. The connection is closed again. Errors: those of
/// PostgresStore::open.
boost::asio::awaitable<Expected<void>> prepare_database(std::string url,
                                                        std::vector<KeyFingerprint> keys,
                                                        Time until);

/// The same for a reader: nothing is changed, and the schema must be this version's. Errors: those
/// of PostgresStore::open.
boost::asio::awaitable<Expected<void>> expect_prepared(std::string url, Time until);

}  // namespace tesela::store::postgres
