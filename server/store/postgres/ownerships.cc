#include "server/store/postgres/ownerships.h"

#include <utility>

#include "server/store/postgres/write/claims.h"
#include "server/store/postgres/write/leases.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;

awaitable<Expected<Claimed>> Ownerships::claim(TableId table, LifeId life) {
  return writes_.run<Claimed>(
      [=](Attempt& attempt) { return postgres::claim(attempt, table, life); });
}

awaitable<Expected<std::optional<Owner>>> Ownerships::owner(TableId table) {
  return reads_.run<std::optional<Owner>>(
      [table](Attempt& attempt) { return postgres::owner(attempt, table); });
}

awaitable<Expected<std::vector<LifeId>>> Ownerships::living(std::vector<LifeId> lives) {
  return reads_.run<std::vector<LifeId>>(
      [lives = std::move(lives)](Attempt& attempt) { return postgres::living(attempt, lives); });
}

awaitable<Expected<TableHeads>> Ownerships::heads(std::vector<TableId> tables) {
  return reads_.run<TableHeads>(
      [tables = std::move(tables)](Attempt& attempt) { return postgres::heads(attempt, tables); });
}

awaitable<Expected<void>> Ownerships::release(std::vector<OwnedTable> tables, LifeId life) {
  return writes_.run<void>([tables = std::move(tables), life](Attempt& attempt) {
    return postgres::release(attempt, tables, life);
  });
}

awaitable<Expected<std::vector<TableId>>> Ownerships::free_orphans(std::size_t max) {
  return writes_.run<std::vector<TableId>>(
      [max](Attempt& attempt) { return postgres::free_orphans(attempt, max); });
}

awaitable<Expected<std::optional<Epoch>>> Ownerships::take_lease(Duty duty, LifeId life) {
  return writes_.run<std::optional<Epoch>>(
      [=](Attempt& attempt) { return postgres::take_lease(attempt, duty, life); });
}

awaitable<Expected<std::optional<Owner>>> Ownerships::holder(Duty duty) {
  return reads_.run<std::optional<Owner>>(
      [duty](Attempt& attempt) { return postgres::holder(attempt, duty); });
}

awaitable<Expected<void>> Ownerships::give_up_lease(Duty duty, Epoch epoch, LifeId life) {
  return writes_.run<void>(
      [=](Attempt& attempt) { return postgres::give_up_lease(attempt, duty, epoch, life); });
}

}  // namespace tesela::store::postgres
