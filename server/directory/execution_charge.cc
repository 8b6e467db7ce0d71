#include "server/directory/execution_charge.h"

namespace tesela::lobby {

using boost::asio::awaitable;

awaitable<Expected<void>> charge_execution(store::EventLog& log, TableId id, net::AccountPtr from) {
  if (!from) co_return Expected<void>{};
  const auto last = co_await log.last(id);
  if (!last) co_return std::unexpected(last.error());
  if (!*last || from->try_take(net::Act::kExecution, (*last)->version.value)) {
    co_return Expected<void>{};
  }
  from->count_limited(net::Act::kExecution);
  co_return net::too_often(net::Act::kExecution);
}

}  // namespace tesela::lobby
