#include "server/tables/core/freeze.h"

#include <utility>

#include "server/base/loop.h"

namespace tesela::tables {

bool Freeze::on() {
  if (!life_.may_speak() || life_.gaps() != gaps_) frozen_ = true;
  return frozen_;
}

bool Freeze::thaw() {
  if (!on()) return false;
  // In this order: a gap that comes after it was read freezes again.
  const std::uint64_t gaps = life_.gaps();
  if (!life_.may_speak()) return false;
  gaps_ = gaps;
  frozen_ = false;
  for (auto& [waiter, then] : std::exchange(waiting_, {})) {
    if (const auto there = waiter.lock()) then();
  }
  wake();
  return true;
}

void Freeze::at_thaw(std::weak_ptr<void> waiter, std::function<void()> then) {
  // Clients may come and go for as long as the freeze lasts.
  if (waiting_.size() == waiting_.capacity()) {
    std::erase_if(waiting_, [](const Waiting& one) { return one.waiter.expired(); });
    waiting_.reserve(2 * waiting_.size() + 1);
  }
  waiting_.push_back({std::move(waiter), std::move(then)});
}

boost::asio::awaitable<void> Freeze::change() {
  co_await changed_.async_wait(base::use_tuple);
}

}  // namespace tesela::tables
