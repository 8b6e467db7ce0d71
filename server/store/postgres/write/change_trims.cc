#include "server/store/postgres/write/change_trims.h"

#include <chrono>
#include <cstdint>
#include <utility>

#include "server/base/change_limits.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;
using std::chrono::milliseconds;

// clock_timestamp() is read after the snapshot was taken. A time that another server has noted at
// the same moment is as good.
constexpr const char* kAddMoment =
    "INSERT INTO change_moments (at, snapshot) SELECT clock_timestamp(), pg_current_snapshot()"
    " WHERE NOT EXISTS (SELECT 1 FROM change_moments"
    "  WHERE at > clock_timestamp() - $1::bigint * interval '1 millisecond')"
    " ON CONFLICT DO NOTHING";
// One is kept that is old enough.
constexpr const char* kForgetMoments =
    "DELETE FROM change_moments WHERE at < (SELECT max(at) FROM change_moments"
    " WHERE at < clock_timestamp() - $1::bigint * interval '1 millisecond')";
// By the moment at which their transactions were over and not by their own times: a change that was
// made long ago may just have been committed. A moment or a change with the number of a transaction
// that is still to come is from a dump of another database.
constexpr const char* kTrimChanges =
    "WITH old AS MATERIALIZED (SELECT snapshot FROM change_moments"
    "  WHERE at < clock_timestamp() - $1::bigint * interval '1 millisecond'"
    "  AND pg_snapshot_xmax(snapshot) <= pg_snapshot_xmax(pg_current_snapshot())"
    "  ORDER BY at DESC LIMIT 1)"
    " DELETE FROM changes WHERE (xid, seq) IN (SELECT xid, seq FROM changes"
    "  WHERE xid < (SELECT pg_snapshot_xmax(snapshot) FROM old)"
    "  AND pg_visible_in_snapshot(xid, (SELECT snapshot FROM old))"
    "  ORDER BY xid, seq LIMIT $2 FOR UPDATE SKIP LOCKED)";
constexpr const char* kTrimForeign =
    "DELETE FROM changes WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())";

}  // namespace

awaitable<Expected<std::size_t>> trim_changes(Attempt& attempt) {
  const std::int64_t kept_ms = milliseconds{limits::kChangesKept}.count();
  Pipeline pipeline;
  pipeline.add(kAddMoment).number(milliseconds{limits::kChangeMomentInterval}.count());
  pipeline.add(kForgetMoments).number(kept_ms);
  pipeline.add(kTrimChanges)
      .number(kept_ms)
      .number(static_cast<std::int64_t>(limits::kChangesTrimmedAtOnce));
  pipeline.add(kTrimForeign);
  const auto results = co_await attempt.run(std::move(pipeline));
  co_return results[2].changed();
}

}  // namespace tesela::store::postgres
