// The lives of servers, as operators look at them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <vector>

#include "server/store/nodes.h"
#include "server/store/postgres/connection/attempts.h"

namespace tesela::store::postgres {

/// As Nodes::nodes, and as the functions of queries.h.
boost::asio::awaitable<Expected<std::vector<NodeRow>>> nodes(Attempt& attempt, std::size_t max);

}  // namespace tesela::store::postgres
