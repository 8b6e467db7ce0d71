#include "server/app/watchdog.h"

#include <unistd.h>

#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "server/app/service_notify.h"
#include "server/base/loop.h"

namespace tesela {
namespace {

/// Kept alive by the task or the timer that is under way.
class Rounds : public std::enable_shared_from_this<Rounds> {
 public:
  Rounds(std::vector<base::Loop*> loops, std::chrono::microseconds pause)
      : loops_(std::move(loops)), time_(pause), pause_(*loops_.back()) {}

  void pass_to(std::size_t next) {
    if (next < loops_.size()) {
      loops_[next]->hand_over([self = shared_from_this(), next] { self->pass_to(next + 1); });
      return;
    }
    notify_service_manager("WATCHDOG=1");
    pause_.expires_after(time_);
    pause_.async_wait([self = shared_from_this()](boost::system::error_code error) {
      if (!error) self->pass_to(0);
    });
  }

 private:
  const std::vector<base::Loop*> loops_;
  const std::chrono::microseconds time_;
  boost::asio::steady_timer pause_;
};

/// The number in a variable; 0 without one.
long long number_in(const char* variable) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment
  const char* const value = std::getenv(variable);
  const std::string_view text{value == nullptr ? "" : value};
  long long number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

void start_watchdog(const std::vector<base::IoPool*>& pools) {
  const auto pid = number_in("WATCHDOG_PID");  // another process may have inherited the variables
  const std::chrono::microseconds time{number_in("WATCHDOG_USEC")};
  if (time.count() <= 0 || (pid != 0 && pid != ::getpid())) return;
  std::vector<base::Loop*> loops;
  for (base::IoPool* pool : pools) {
    for (std::size_t i = 0; i < pool->size(); ++i) loops.push_back(&pool->at(i));
  }
  std::make_shared<Rounds>(std::move(loops), time / 4)->pass_to(0);
}

}  // namespace tesela
