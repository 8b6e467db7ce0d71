#include "server/directory/execution_charge.h"

namespace tesela::directory {

using boost::asio::awaitable;

awaitable<Expected<void>> charge_execution(store::EventLog& log, TableId id, quota::QuotaPtr from) {
  if (!from) co_return Expected<void>{};
  const auto last = co_await log.last(id);
  if (!last) co_return std::unexpected(last.error());
  if (!*last || from->try_take(quota::Act::kExecution, (*last)->version.value)) {
    co_return Expected<void>{};
  }
  from->count_limited(quota::Act::kExecution);
  co_return quota::too_often(quota::Act::kExecution);
}

}  // namespace tesela::directory
