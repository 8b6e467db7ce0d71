#include "server/directory/execution_charge.h"

#include <algorithm>
#include <cstdint>

namespace tesela::directory {

using boost::asio::awaitable;

awaitable<Expected<void>> charge_execution(store::EventReader& log, TableId id,
                                           quota::QuotaPtr from, Version begin, Version until) {
  if (!from) co_return Expected<void>{};
  const auto last = co_await log.last(id);
  if (!last) co_return std::unexpected(last.error());
  std::uint64_t events = *last ? (*last)->version.value : 0;
  if (until != Version{}) events = std::min(events, until.value);
  events -= std::min(events, begin.value);
  if (events == 0 || from->try_take(quota::Act::kExecution, events)) co_return Expected<void>{};
  from->count_limited(quota::Act::kExecution);
  co_return quota::too_often(quota::Act::kExecution);
}

}  // namespace tesela::directory
