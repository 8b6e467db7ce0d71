#include "server/bots/bot_threads.h"

#include <algorithm>
#include <utility>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/base/limits.h"
#include "server/base/thread_priority.h"

namespace tesela::bots {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::steady_clock;

}  // namespace

BotThreads::BotThreads(Options options, metrics::Metrics& metrics)
    : options_(options), metrics_(metrics) {
  for (std::size_t i = 0; i < std::max<std::size_t>(1, options_.threads); ++i) {
    threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
  }
}

BotThreads::~BotThreads() {
  for (auto& thread : threads_) thread.request_stop();
}

bool BotThreads::ask(Task task) {
  {
    const std::scoped_lock lock(mutex_);
    auto& queue = task.alone ? alone_ : waiting_;
    const std::size_t most = task.alone ? limits::kBotTasksAloneMax : limits::kBotTasksMax;
    if (queue.size() >= most) return false;
    queue.push_back(std::move(task));
  }
  asked_.notify_one();
  return true;
}

std::size_t BotThreads::tasks() const {
  const std::scoped_lock lock(mutex_);
  return running_ + waiting_.size() + alone_.size();
}

microseconds BotThreads::time_for_one() const {
  const auto share = options_.time_max / (1 + waiting_.size() / threads_.size());
  return std::max<microseconds>(share, limits::kThinkTimeMin);
}

std::optional<BotThreads::Task> BotThreads::take(std::unique_lock<std::mutex>& lock,
                                                 const std::stop_token& stop) {
  const auto some = [this] { return !waiting_.empty() || !alone_.empty(); };
  while (asked_.wait(lock, stop, some)) {
    std::deque<Task>* from = &waiting_;
    if (waiting_.empty()) {
      const auto now = steady_clock::now();
      if (now < alone_after_) {
        // Meanwhile another thread may take it, or a task without a pause may come.
        const auto until = alone_after_;
        asked_.wait_until(lock, stop, until, [this] { return !waiting_.empty(); });
        if (stop.stop_requested()) break;
        continue;
      }
      alone_after_ = now + options_.alone_interval;
      from = &alone_;
    }
    Task task = std::move(from->front());
    from->pop_front();
    return task;
  }
  return std::nullopt;
}

void BotThreads::run(const std::stop_token& stop) {
  base::lower_priority(limits::kBotNiceness);
  Rng rng(base::random_seed());
  std::unique_lock lock(mutex_);
  while (auto task = take(lock, stop)) {
    const auto time = task->alone ? std::min(time_for_one(), task->alone_time_max) : time_for_one();
    const Budget budget{.time = time, .stop = task->stop};
    ++running_;
    lock.unlock();
    if (!task->stop.stop_requested()) {
      const auto begin = steady_clock::now();
      games::BotReply reply = task->search(rng, budget);
      metrics_.think_seconds().observe(base::seconds_since(begin));
      if (!task->stop.stop_requested()) task->answer(std::move(reply));
    }
    task.reset();  // free its captures before the next wait
    lock.lock();
    --running_;
  }
}

}  // namespace tesela::bots
