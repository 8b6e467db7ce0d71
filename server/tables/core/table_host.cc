#include "server/tables/core/table_host.h"

#include <utility>

namespace tesela::tables {

void Alarm::start(TableHost& host, std::chrono::milliseconds pause, std::function<void()> then) {
  if (!timer_) timer_ = std::make_unique<boost::asio::steady_timer>(host.executor());
  timer_->expires_after(pause);
  timer_->async_wait([life = host.life(), &host, then = std::move(then)](const auto& error) {
    const auto table = life.lock();
    if (error || !table || host.ended()) return;
    then();
  });
}

void Alarm::cancel() {
  if (timer_) timer_->cancel();
}

}  // namespace tesela::tables
