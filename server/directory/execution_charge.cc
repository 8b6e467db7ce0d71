#include "server/directory/execution_charge.h"

#include <algorithm>
#include <cstdint>

namespace tesela::directory {

using boost::asio::awaitable;

namespace {

Expected<void> charge(const quota::QuotaPtr& from, std::uint64_t events) {
  if (events == 0 || from->try_take(quota::Act::kExecution, events)) return {};
  from->count_limited(quota::Act::kExecution);
  return quota::too_often(quota::Act::kExecution);
}

}  // namespace

awaitable<Expected<void>> charge_unpacking(store::EventReader& log, TableId id,
                                           quota::QuotaPtr from) {
  if (!from) co_return Expected<void>{};
  const auto size = co_await log.size(id);
  if (!size) co_return std::unexpected(size.error());
  co_return charge(from, size->unpacked);
}

awaitable<Expected<void>> charge_execution(store::EventReader& log, TableId id,
                                           quota::QuotaPtr from, Version begin, Version until) {
  if (!from) co_return Expected<void>{};
  const auto size = co_await log.size(id);
  if (!size) co_return std::unexpected(size.error());
  std::uint64_t events = size->last.value;
  if (until != Version{}) events = std::min(events, until.value);
  events -= std::min(events, begin.value);
  co_return charge(from, events);
}

}  // namespace tesela::directory
