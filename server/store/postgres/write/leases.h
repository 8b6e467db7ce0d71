// The leases of duties.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>

#include "server/store/ownership.h"
#include "server/store/postgres/connection/attempts.h"

namespace tesela::store::postgres {

// As the functions of writes.h. Contracts and errors as in Ownership. They throw Failure.

/// A second one takes the life's own lease, under a newer epoch.
boost::asio::awaitable<Expected<std::optional<Epoch>>> take_lease(Attempt& attempt, Duty duty,
                                                                  LifeId life);
/// Writes nothing.
boost::asio::awaitable<Expected<std::optional<Owner>>> holder(Attempt& attempt, Duty duty);
/// Whoever has taken the lease since the first try, also the same life, has a newer epoch.
boost::asio::awaitable<Expected<void>> give_up_lease(Attempt& attempt, Duty duty, Epoch epoch,
                                                     LifeId life);

/// Begins a transaction during which nobody can take the lease. False, without a transaction: it
/// was taken under another epoch, or given up.
boost::asio::awaitable<bool> begin_under_lease(Attempt& attempt, Duty duty, Epoch epoch);

}  // namespace tesela::store::postgres
