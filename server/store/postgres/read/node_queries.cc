#include "server/store/postgres/read/node_queries.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "server/base/ownership_limits.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;
using std::chrono::milliseconds;

// The end of the lease is the time of death, or earlier (lives.cc).
constexpr const char* kNodes =
    "SELECT id, address, state = 'alive',"
    " (1000 * extract(epoch FROM clock_timestamp() - lease_until))::bigint"
    " FROM lives ORDER BY state = 'alive' DESC,"
    " CASE WHEN state = 'alive' THEN address END, lease_until DESC, id LIMIT $1";
// By heads_by_life alone.
constexpr const char* kTablesOfLives =
    "SELECT life, count(*) FROM heads WHERE life <> 0 AND life = ANY($1) GROUP BY life";
constexpr const char* kDutiesOfLives = "SELECT life, duty FROM leases WHERE life = ANY($1)";

NodeRow row_of(const Result& lives, int row) {
  NodeRow node{
      .life = lives.id<LifeId>(row, 0), .address = lives.text(row, 1), .alive = lives.flag(row, 2)};
  const milliseconds since_end{lives.number(row, 3)};
  // Never below 0: the clock was read at another moment than that of the renewal.
  if (node.alive) {
    node.lease_age = std::max(limits::kLeaseTime + since_end, milliseconds{0});
  } else {
    node.dead_for = std::max(since_end, milliseconds{0});
  }
  node.tables = 0;
  return node;
}

}  // namespace

awaitable<Expected<std::vector<NodeRow>>> nodes(Attempt& attempt, std::size_t max) {
  Pipeline lives;
  lives.add(kNodes).number(static_cast<std::int64_t>(max));
  const auto found = co_await attempt.run(std::move(lives));
  std::vector<NodeRow> rows;
  std::vector<std::int64_t> ids;
  std::unordered_map<LifeId, std::size_t> places;
  for (int row = 0; row < found.front().rows(); ++row) {
    rows.push_back(row_of(found.front(), row));
    ids.push_back(found.front().number(row, 0));
    places.emplace(rows.back().life, rows.size() - 1);
  }
  Pipeline theirs;
  theirs.add(kTablesOfLives).numbers(ids);
  theirs.add(kDutiesOfLives).numbers(ids);
  const auto results = co_await attempt.run(std::move(theirs));
  for (int row = 0; row < results[0].rows(); ++row) {
    rows[places.at(results[0].id<LifeId>(row, 0))].tables =
        static_cast<std::uint64_t>(results[0].number(row, 1));
  }
  for (int row = 0; row < results[1].rows(); ++row) {
    rows[places.at(results[1].id<LifeId>(row, 0))].duties.push_back(
        static_cast<Duty>(results[1].number(row, 1)));
  }
  co_return rows;
}

}  // namespace tesela::store::postgres
