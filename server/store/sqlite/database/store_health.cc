#include "server/store/sqlite/database/store_health.h"

#include <utility>

#include "server/base/log/seldom_log.h"
#include "server/store/sqlite/database/diagnosis.h"

namespace tesela::store {
namespace {

/// What clients and /readyz are told has no text of SQLite.
void log_reason(const StorageError& error) {
  static base::SeldomLog lines;
  lines.log(spdlog::level::warn, "SQLite: {}", error.what());
}

}  // namespace

void StoreHealth::read_failed(const StorageError& error) {
  log_reason(error);
  if (refuses_value(error)) return;
  if (on_error_) on_error_("read");
}

void StoreHealth::write_failed(const StorageError& error) {
  log_reason(error);
  if (refuses_value(error)) return;
  writes_.store(false, std::memory_order_relaxed);
  if (on_error_) on_error_("write");
  change([&] { (damaged(error) ? damage_ : refusal_) = cannot_go_on(error); });
}

void StoreHealth::not_written_back(const StorageError& error) {
  log_reason(error);
  if (on_error_) on_error_("write");
  if (damaged(error)) change([&] { damage_.emplace(cannot_go_on(error)); });
  if (error.code() == SQLITE_IOERR_FSYNC) change([&] { damage_.emplace(cannot_sync()); });
}

void StoreHealth::wrote() {
  if (writes_.exchange(true, std::memory_order_relaxed)) return;
  change([&] { refusal_.reset(); });
}

Expected<void> StoreHealth::writable() const {
  const std::scoped_lock lock(mutex_);
  if (const auto& now = trouble()) return std::unexpected(*now);
  return {};
}

template <class Change>
void StoreHealth::change(Change&& change) {
  const std::scoped_lock lock(mutex_);
  const std::optional<Error> before = trouble();
  change();
  const std::optional<Error>& now = trouble();
  if (now == before || !on_condition_) return;
  on_condition_(now ? Expected<void>(std::unexpected(*now)) : Expected<void>());
}

}  // namespace tesela::store
