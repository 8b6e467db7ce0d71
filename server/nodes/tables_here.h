// The live tables of this server, for relays to other servers.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>

#include "engine/core/ids.h"
#include "server/base/loop.h"

namespace tesela::nodes {

/// Empty functions: this server has no tables.
struct TablesHere {
  std::function<base::Loop&(TableId)> loop_of{};  // where a table is used; any thread
  std::function<bool(TableId)> is_live{};         // on that loop
  // Returns when the table is not about to leave memory; on that loop.
  std::function<boost::asio::awaitable<void>(TableId)> left{};
};

}  // namespace tesela::nodes
