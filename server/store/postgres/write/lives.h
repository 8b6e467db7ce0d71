// The lives of servers and their leases, which the database's clock measures.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "server/store/ownership.h"
#include "server/store/postgres/connection/connection.h"

namespace tesela::store::postgres {

// Each is one transaction on a connection that nothing else uses, and is not repeated here. They
// throw Failure.

/// Stores a new life, with a lease of limits::kLeaseTime, and deletes what is older than
/// limits::kDeadLivesKept. After a failure: begin another life. What was stored of this one ends
/// with its lease.
boost::asio::awaitable<void> begin_life(Connection& connection, LifeId life, std::string address,
                                        Time until);

/// Renews the lease. False: the life was declared dead.
boost::asio::awaitable<bool> renew_lease(Connection& connection, LifeId life, Time until);

/// Declares the lives dead whose leases are over. Returns their addresses. Nobody is declared dead
/// until `life` has renewed its own lease for limits::kLeaseTime without a gap: after an outage of
/// the database all leases are over, and those that come back get the time to renew them.
boost::asio::awaitable<std::vector<std::string>> declare_deaths(Connection& connection, LifeId life,
                                                                Time until);

/// Declares `life` dead: others may claim its tables at once.
boost::asio::awaitable<void> end_life(Connection& connection, LifeId life, Time until);
/// The same, if the life is one of a server at `address`.
boost::asio::awaitable<void> end_life_at(Connection& connection, LifeId life, std::string address,
                                         Time until);

}  // namespace tesela::store::postgres
