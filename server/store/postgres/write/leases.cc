#include "server/store/postgres/write/leases.h"

#include <cstdint>
#include <utility>

#include "server/store/refusals.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

// A statement of its own, as in claims.cc: the next one sees the lives of when the row was locked.
constexpr const char* kLockLease = "SELECT 1 FROM leases WHERE duty = $1 FOR UPDATE";
constexpr const char* kTakeLease =
    "UPDATE leases l SET epoch = l.epoch + 1, life = $2 WHERE l.duty = $1"
    " AND EXISTS (SELECT 1 FROM lives WHERE id = $2 AND state = 'alive')"
    " AND (l.life = $2 OR NOT EXISTS (SELECT 1 FROM lives WHERE id = l.life AND state = 'alive'))"
    " RETURNING l.epoch";
constexpr const char* kIsAlive = "SELECT 1 FROM lives WHERE id = $1 AND state = 'alive'";
constexpr const char* kHolderOf =
    "SELECT l.id, l.address FROM leases d JOIN lives l ON l.id = d.life AND l.state = 'alive'"
    " WHERE d.duty = $1";
constexpr const char* kGiveUpLease =
    "UPDATE leases SET life = 0, epoch = epoch + 1"
    " WHERE duty = $1 AND epoch = $2 AND life = $3";
// Whoever takes the lease waits for the end of this transaction; this waits for whoever takes it,
// and then looks at the row again.
constexpr const char* kHoldLease = "SELECT 1 FROM leases WHERE duty = $1 AND epoch = $2 FOR SHARE";

std::int64_t number_of(Duty duty) {
  return static_cast<std::int64_t>(duty);
}

}  // namespace

awaitable<Expected<std::optional<Epoch>>> take_lease(Attempt& attempt, Duty duty, LifeId life) {
  Pipeline pipeline;
  pipeline.add(kLockLease).number(number_of(duty));
  pipeline.add(kTakeLease).number(number_of(duty)).id(life);
  pipeline.add(kIsAlive).id(life);
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& taken = results[1];
  if (taken.rows() == 1) co_return std::optional<Epoch>{taken.id<Epoch>(0, 0)};
  if (results[2].rows() == 0) co_return declared_dead();
  co_return std::optional<Epoch>{};
}

awaitable<Expected<std::optional<Owner>>> holder(Attempt& attempt, Duty duty) {
  Pipeline pipeline;
  pipeline.add(kHolderOf).number(number_of(duty));
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& rows = results.front();
  std::optional<Owner> found;
  if (rows.rows() == 1) found.emplace(Owner{rows.id<LifeId>(0, 0), rows.text(0, 1)});
  co_return found;
}

awaitable<Expected<void>> give_up_lease(Attempt& attempt, Duty duty, Epoch epoch, LifeId life) {
  Pipeline pipeline;
  pipeline.add(kGiveUpLease).number(number_of(duty)).id(epoch).id(life);
  static_cast<void>(co_await attempt.run(std::move(pipeline)));
  co_return Expected<void>{};
}

awaitable<bool> begin_under_lease(Attempt& attempt, Duty duty, Epoch epoch) {
  Pipeline pipeline;
  pipeline.add(kBegin);
  pipeline.add(kHoldLease).number(number_of(duty)).id(epoch);
  const auto results = co_await attempt.run(std::move(pipeline));
  if (results[1].rows() == 1) co_return true;
  co_await attempt.roll_back();
  co_return false;
}

}  // namespace tesela::store::postgres
