#include "server/store/postgres/same_settings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "server/base/clock.h"
#include "server/base/ownership_limits.h"
#include "server/store/postgres/connection/attempts.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

constexpr const char* kDatabaseClock =
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
constexpr const char* kAddKey =
    "INSERT INTO shared_keys (name, fingerprint) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
// A statement of its own: it sees the key of a server that has started at the same time.
constexpr const char* kSharedKey = "SELECT fingerprint FROM shared_keys WHERE name = $1";

awaitable<Expected<void>> check_clock(Connection& connection, Time until) {
  Pipeline question;
  question.add(kDatabaseClock);
  const std::int64_t before_ms = base::unix_ms();
  const auto answer = co_await connection.run(std::move(question), until);
  const std::int64_t after_ms = base::unix_ms();
  const std::int64_t database_ms = answer.front().number(0, 0);
  // The database has read its clock at some moment in between.
  const std::int64_t ahead_ms = before_ms - database_ms;
  const std::int64_t behind_ms = database_ms - after_ms;
  const std::int64_t off_ms = std::max(ahead_ms, behind_ms);
  if (off_ms <= limits::kClockOffMax.count()) co_return Expected<void>{};
  co_return refuse(ErrorCode::kInvalidArgument, "The clock of this machine is " +
                                                    std::to_string(off_ms) + " ms " +
                                                    (ahead_ms > behind_ms ? "ahead of" : "behind") +
                                                    " the database's clock: set both by NTP.");
}

std::unexpected<Error> another_key(const KeyFingerprint& key) {
  return refuse(ErrorCode::kInvalidArgument,
                "The servers on this database have another " + key.key + " than the one of " +
                    key.option +
                    ": give all of them the same one. To change it, stop them all and delete its "
                    "row in the table shared_keys.");
}

}  // namespace

awaitable<Expected<void>> check_same_settings(Connection& connection,
                                              const std::vector<KeyFingerprint>& keys, Time until) {
  const auto clock = co_await check_clock(connection, until);
  if (!clock) co_return clock;
  Pipeline pipeline;
  pipeline.add(kBegin);
  for (const KeyFingerprint& key : keys)
    pipeline.add(kAddKey).bytes(key.key).bytes(key.fingerprint);
  for (const KeyFingerprint& key : keys) pipeline.add(kSharedKey).bytes(key.key);
  const auto results = co_await connection.run(std::move(pipeline), until);
  Expected<void> same;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Result& shared = results[1 + keys.size() + i];
    if (shared.bytes(0, 0) != keys[i].fingerprint) same = another_key(keys[i]);
  }
  Pipeline end;
  end.add(same ? kCommit : kRollBack);
  static_cast<void>(co_await connection.run(std::move(end), until));
  co_return same;
}

}  // namespace tesela::store::postgres
