// Relays calls about a table to the server that owns it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/nodes/relays.h"
#include "server/nodes/tables_here.h"
#include "server/rpc/method.h"

namespace tesela::nodes {

/// Whether a caller's calls are relayed. Other calls are answered here, with the refusal.
using Admits = std::function<bool(const rpc::Caller&)>;

/// Any thread. Outlives its calls.
class CallRelays {
 public:
  struct Parts {
    Relays& relays;
    TablesHere here;
    std::function<TableId(TableId)> rematch_of{};  // the id of the table of a rematch
  };

  explicit CallRelays(Parts parts) : parts_(std::move(parts)) {}
  CallRelays(const CallRelays&) = delete;
  CallRelays& operator=(const CallRelays&) = delete;

  /// The same methods, but that those of methods_of_owner are answered by the owner of the table
  /// that the request names, where that is another server. Its errors come back as they were.
  [[nodiscard]] std::vector<rpc::Method> relayed(std::vector<rpc::Method> methods, Admits admits);

 private:
  /// The method of this server, for when no other server answers.
  using Here = std::shared_ptr<const rpc::Method>;
  /// The result of a look for a table's owner.
  struct Found {
    bool live_here = false;
    std::optional<Expected<CallAnswer>> answer{};
  };

  boost::asio::awaitable<Expected<rpc::MessagePtr>> answer(Here here, rpc::RequestPtr request,
                                                           rpc::Caller caller);
  boost::asio::awaitable<Found> look(base::Loop& loop, TableId table, CallRequest call);
  [[nodiscard]] std::vector<TableId> tables_of(const rpc::Method& method,
                                               const google::protobuf::Message& request) const;

  const Parts parts_;
};

}  // namespace tesela::nodes
