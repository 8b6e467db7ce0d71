#include "server/store/sql/session/idempotent.h"

namespace tesela::store::sql {
namespace {

// Changes nothing, but its commit waits for the standby, and so for all commits before it.
constexpr Text kWaitForStandby{"UPDATE tesela_schema SET version = version"};

}  // namespace

boost::asio::awaitable<bool> is_stored(WriteSession& session, Query question) {
  if (!session.again()) co_return false;
  Batch batch(std::move(question));
  batch.add(kWaitForStandby);
  const auto answers = co_await session.finish(std::move(batch));
  co_return !answers[0].empty();
}

boost::asio::awaitable<void> confirm(WriteSession& session) {
  co_await session.roll_back();
  Batch batch;
  // SQLite commits in order: what is found is in this commit, or in one before it.
  if (session.dialect() == Dialect::kPostgres) batch.add(kWaitForStandby);
  static_cast<void>(co_await session.finish(std::move(batch)));
}

}  // namespace tesela::store::sql
