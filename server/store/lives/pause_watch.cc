#include "server/store/lives/pause_watch.h"

#include <stop_token>
#include <utility>

#include "server/base/limits.h"
#include "server/base/ownership_limits.h"
#include "server/base/threads/thread_name.h"
#include "server/base/threads/thread_priority.h"

namespace tesela::store {

PauseWatch::PauseWatch(OnLifeState on_state) : lease_(std::move(on_state)) {
  renew();
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void PauseWatch::renew() {
  lease_.extend(kOnlyLife, base::BootClock::now(), limits::kPauseMin);
}

void PauseWatch::run(const std::stop_token& stop) {
  base::name_thread("pause-watch");
  base::shorten_slice(limits::kWriterSlice);
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    stopped_.wait_for(lock, stop, limits::kPauseLookInterval, [] { return false; });
    if (!stop.stop_requested()) renew();
  }
}

}  // namespace tesela::store
