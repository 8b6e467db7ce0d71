// The lives of servers, as operators look at them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <vector>

#include "server/store/nodes.h"
#include "server/store/postgres/calls.h"

namespace tesela::store::postgres {

/// Any thread.
class NodeReader final : public Nodes {
 public:
  /// It outlives the reader.
  explicit NodeReader(Calls& lists) : lists_(lists) {}

  boost::asio::awaitable<Expected<std::vector<NodeRow>>> nodes(std::size_t max) override;

 private:
  Calls& lists_;
};

}  // namespace tesela::store::postgres
