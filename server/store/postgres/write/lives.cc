#include "server/store/postgres/write/lives.h"

#include <chrono>
#include <cstdint>
#include <utility>

#include "server/base/ownership_limits.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;
using std::chrono::milliseconds;

// clock_timestamp() and not now(): a statement that has waited for a lock reads the clock after it.
constexpr const char* kBeginLife =
    "INSERT INTO lives (id, address, state, lease_until, unbroken_since) VALUES ($1, $2, 'alive',"
    " clock_timestamp() + $3::bigint * interval '1 millisecond', clock_timestamp())";
constexpr const char* kForgetLives =
    "DELETE FROM lives WHERE state = 'dead'"
    " AND lease_until < clock_timestamp() - $1::bigint * interval '1 millisecond'";
constexpr const char* kRenewLease =
    "UPDATE lives SET unbroken_since ="
    "  CASE WHEN lease_until - $3::bigint * interval '1 millisecond' >= clock_timestamp()"
    "   THEN unbroken_since ELSE clock_timestamp() END,"
    " lease_until = clock_timestamp() + $2::bigint * interval '1 millisecond'"
    " WHERE id = $1 AND state = 'alive'";
// A life that renews its lease at this moment has locked its row: this waits, and looks again.
constexpr const char* kDeclareDeaths =
    "UPDATE lives other SET state = 'dead' FROM lives own"
    " WHERE own.id = $1 AND own.state = 'alive' AND own.lease_until >= clock_timestamp()"
    " AND own.unbroken_since <= clock_timestamp() - $2::bigint * interval '1 millisecond'"
    " AND other.state = 'alive' AND other.lease_until < clock_timestamp() RETURNING other.address";
// The lease ends now, so that its end is the time of death (kept_data.cc).
constexpr const char* kEndLife =
    "UPDATE lives SET state = 'dead', lease_until = least(lease_until, clock_timestamp())"
    " WHERE id = $1 AND state = 'alive'";
constexpr const char* kEndLifeAt =
    "UPDATE lives SET state = 'dead', lease_until = least(lease_until, clock_timestamp())"
    " WHERE id = $1 AND address = $2 AND state = 'alive'";

constexpr std::int64_t kLeaseMs = limits::kLeaseTime.count();
constexpr std::int64_t kGapMs = limits::kRenewalGapMax.count();

}  // namespace

awaitable<void> begin_life(Connection& connection, LifeId life, std::string address, Time until) {
  Batch batch;
  batch.add(kBeginLife).id(life).bytes(address).number(kLeaseMs);
  batch.add(kForgetLives).number(milliseconds{limits::kDeadLivesKept}.count());
  static_cast<void>(co_await connection.run(std::move(batch), until));
}

awaitable<bool> renew_lease(Connection& connection, LifeId life, Time until) {
  Batch batch;
  batch.add(kRenewLease).id(life).number(kLeaseMs).number(kLeaseMs - kGapMs);
  const auto results = co_await connection.run(std::move(batch), until);
  co_return results.front().changed() == 1;
}

awaitable<std::vector<std::string>> declare_deaths(Connection& connection, LifeId life,
                                                   Time until) {
  Batch batch;
  batch.add(kDeclareDeaths).id(life).number(kLeaseMs);
  const auto results = co_await connection.run(std::move(batch), until);
  co_return results.front().map([](Row row) { return row.text(0); });
}

awaitable<void> end_life(Connection& connection, LifeId life, Time until) {
  Batch batch;
  batch.add(kEndLife).id(life);
  static_cast<void>(co_await connection.run(std::move(batch), until));
}

awaitable<void> end_life_at(Connection& connection, LifeId life, std::string address, Time until) {
  Batch batch;
  batch.add(kEndLifeAt).id(life).bytes(address);
  static_cast<void>(co_await connection.run(std::move(batch), until));
}

}  // namespace tesela::store::postgres
