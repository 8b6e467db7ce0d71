#include "server/store/postgres/connection/health.h"

#include <spdlog/spdlog.h>

#include "server/base/log/seldom_log.h"

namespace tesela::store::postgres {

void Health::failed(const Failure& failure) {
  if (on_error_) on_error_("write");
  const std::scoped_lock lock(mutex_);
  if (trouble_) return;
  works_.store(false, std::memory_order_relaxed);
  static base::SeldomLog lines;
  lines.log(spdlog::level::warn, "PostgreSQL: {}", failure.what());
  trouble_.emplace(Error{ErrorCode::kUnavailable, "The server cannot reach its database now."});
  if (on_change_) on_change_(std::unexpected(*trouble_));
}

void Health::works() {
  if (works_.load(std::memory_order_relaxed)) return;
  const std::scoped_lock lock(mutex_);
  trouble_.reset();
  works_.store(true, std::memory_order_relaxed);
  if (on_change_) on_change_({});
}

Expected<void> Health::writable() const {
  const std::scoped_lock lock(mutex_);
  if (trouble_) return std::unexpected(*trouble_);
  return {};
}

}  // namespace tesela::store::postgres
