#include "server/store/duty_lease.h"

#include <utility>

namespace tesela::store {

using boost::asio::awaitable;

awaitable<Expected<bool>> DutyLease::take() {
  const LifeId life = life_.id();
  auto taken = co_await ownership_.take_lease(duty_, life);
  if (!taken) co_return std::unexpected(std::move(taken.error()));
  held_ = taken->has_value();
  if (!held_) co_return false;
  epoch_ = **taken;
  taken_for_ = life;
  co_return true;
}

awaitable<void> DutyLease::give_up() {
  if (!held_) co_return;
  held_ = false;
  // If that fails, the lease ends with the life.
  static_cast<void>(co_await ownership_.give_up_lease(duty_, epoch_, taken_for_));
}

}  // namespace tesela::store
