#include "server/store/postgres/node_reader.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <utility>

#include "server/base/ownership_limits.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;
using std::chrono::milliseconds;

namespace {

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

NodeRow node_of(Row row) {
  NodeRow node{.life = row.id<LifeId>(0), .address = row.text(1), .alive = row.flag(2)};
  const milliseconds since_end{row.number(3)};
  // Never below 0: the clock was read at another moment than that of the renewal.
  if (node.alive) {
    node.lease_age = std::max(limits::kLeaseTime + since_end, milliseconds{0});
  } else {
    node.dead_for = std::max(since_end, milliseconds{0});
  }
  node.tables = 0;
  return node;
}

awaitable<Expected<std::vector<NodeRow>>> nodes(Attempt& attempt, std::size_t max) {
  const auto found = co_await attempt.run(Query(kNodes).count(max));
  std::vector<NodeRow> rows = found.map(node_of);
  std::unordered_map<LifeId, std::size_t> places;
  for (std::size_t i = 0; i < rows.size(); ++i) places.emplace(rows[i].life, i);
  const auto ids = found.ids<LifeId>();
  Batch theirs;
  theirs.add(kTablesOfLives).ids(ids);
  theirs.add(kDutiesOfLives).ids(ids);
  const auto results = co_await attempt.run(std::move(theirs));
  for (const Row row : results[0]) {
    rows[places.at(row.id<LifeId>(0))].tables = static_cast<std::uint64_t>(row.number(1));
  }
  for (const Row row : results[1]) {
    rows[places.at(row.id<LifeId>(0))].duties.push_back(static_cast<Duty>(row.number(1)));
  }
  co_return rows;
}

}  // namespace

awaitable<Expected<std::vector<NodeRow>>> NodeReader::nodes(std::size_t max) {
  return lists_.run<postgres::nodes>(max);
}

}  // namespace tesela::store::postgres
