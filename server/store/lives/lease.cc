#include "server/store/lives/lease.h"

namespace tesela::store {

using base::BootClock;

std::chrono::milliseconds Lease::age() const {
  const auto age = BootClock::now().time_since_epoch() - std::chrono::nanoseconds{asked_ns_.load()};
  return std::chrono::duration_cast<std::chrono::milliseconds>(age);
}

void Lease::extend(LifeId life, BootClock::time_point asked, BootClock::duration time) {
  asked_ns_.store(asked.time_since_epoch().count());
  bool was_over = !runs();
  if (was_over) gaps_.fetch_add(1);
  const auto until = asked + time;
  const std::int64_t before = until_ns_.exchange(until.time_since_epoch().count());
  // It has ended in between, and somebody may have seen that.
  if (!was_over && BootClock::now().time_since_epoch().count() >= before) {
    gaps_.fetch_add(1);
    was_over = true;
  }
  if (was_over && told_ == LifeState::kSpeaking && told_life_ == life) {
    tell(life, LifeState::kFrozen);
  }
  tell(life, false);
}

void Lease::tell(LifeId life, bool dead) {
  const LifeState alive = runs() ? LifeState::kSpeaking : LifeState::kFrozen;
  tell(life, dead ? LifeState::kDead : alive);
}

void Lease::tell(LifeId life, LifeState now) {
  if (now == told_ && life == told_life_) return;
  told_ = now;
  told_life_ = life;
  if (on_state_) on_state_(now, life);
}

}  // namespace tesela::store
