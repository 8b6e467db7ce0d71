#include "server/bots/bot_threads.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "server/base/analysis_limits.h"
#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/base/limits.h"
#include "server/base/threads/thread_name.h"
#include "server/base/threads/thread_priority.h"

namespace tesela::bots {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;
using Urgency = BotThreads::Urgency;

/// By Urgency.
constexpr std::array<std::size_t, 3> kWaitingMax{limits::kBotTasksMax, limits::kAnalysesMax,
                                                 limits::kBotTasksAloneMax};

bool was_stopped(const BotThreads::Task& task) {
  return task.stop.stop_requested();
}

std::deque<BotThreads::Task> remove_stopped(std::deque<BotThreads::Task>& tasks) {
  std::deque<BotThreads::Task> stopped;
  std::deque<BotThreads::Task> others;
  for (auto& task : tasks) (was_stopped(task) ? stopped : others).push_back(std::move(task));
  tasks = std::move(others);
  return stopped;
}

}  // namespace

BotThreads::BotThreads(Options options, metrics::Metrics& metrics)
    : options_(options), metrics_(metrics) {
  for (std::size_t i = 0; i < std::max<std::size_t>(1, options_.threads); ++i) {
    threads_.emplace_back([this, i](const std::stop_token& stop) {
      base::name_thread("bot-" + std::to_string(i));
      run(stop);
    });
  }
}

BotThreads::~BotThreads() {
  for (auto& thread : threads_) thread.request_stop();
}

bool BotThreads::ask(Task task) {
  Queue stopped;  // destroyed without the lock
  {
    const std::scoped_lock lock(mutex_);
    auto& tasks = queue(task.urgency);
    // One analysis after another may have been begun and left while players' searches waited.
    if (task.urgency == Urgency::kAnalysis) stopped = remove_stopped(tasks);
    if (tasks.size() >= kWaitingMax[std::to_underlying(task.urgency)]) return false;
    tasks.push_back(std::move(task));
  }
  asked_.notify_one();
  return true;
}

std::size_t BotThreads::tasks() const {
  const std::scoped_lock lock(mutex_);
  std::size_t count = running_;
  for (const auto& waiting : queues_) count += waiting.size();
  return count;
}

bool BotThreads::waits(Urgency urgency) const {
  return !queues_[std::to_underlying(urgency)].empty();
}

bool BotThreads::may_analyse() const {
  return waits(Urgency::kAnalysis) &&
         analysing_ < std::max<std::size_t>(1, threads_.size() / limits::kThreadsPerAnalysis);
}

std::optional<Urgency> BotThreads::next() const {
  if (waits(Urgency::kTable)) return Urgency::kTable;
  const bool analysis = may_analyse();
  const bool alone = waits(Urgency::kAlone) && steady_clock::now() >= alone_after_;
  if (analysis && !(alone && analysed_last_)) return Urgency::kAnalysis;
  if (alone) return Urgency::kAlone;
  return std::nullopt;
}

std::optional<BotThreads::Task> BotThreads::take(std::unique_lock<std::mutex>& lock,
                                                 const std::stop_token& stop) {
  const auto without_pause = [this] { return waits(Urgency::kTable) || may_analyse(); };
  const auto some = [&] { return without_pause() || waits(Urgency::kAlone); };
  while (asked_.wait(lock, stop, some)) {
    if (const auto urgency = next()) return take_first(*urgency);
    // Meanwhile another thread may take it, or a task without a pause may come.
    const auto until = alone_after_;
    asked_.wait_until(lock, stop, until, without_pause);
    if (stop.stop_requested()) break;
  }
  return std::nullopt;
}

BotThreads::Task BotThreads::take_first(Urgency urgency) {
  if (urgency == Urgency::kTable) {
    if (round_ == 0) begin_round();
    --round_;
  } else {
    analysed_last_ = urgency == Urgency::kAnalysis;
    if (analysed_last_) {
      ++analysing_;
    } else {
      alone_after_ = steady_clock::now() + options_.alone_interval;
    }
  }
  auto& tasks = queue(urgency);
  Task task = std::move(tasks.front());
  tasks.pop_front();
  // This thread may have been woken for another task than the one that it takes.
  if (!std::ranges::all_of(queues_, &Queue::empty)) asked_.notify_one();
  return task;
}

void BotThreads::begin_round() {
  const auto& tasks = queue(Urgency::kTable);
  round_ = tasks.size();
  const auto searches = std::ranges::count_if(tasks, std::not_fn(was_stopped));
  const auto threads = static_cast<std::int64_t>(threads_.size());
  const auto share = options_.time_max * threads / std::max<std::int64_t>(1, searches);
  round_time_ = std::max<microseconds>(std::min(share, options_.time_max), limits::kThinkTimeMin);
}

microseconds BotThreads::time_of(const Task& task) const {
  return task.urgency == Urgency::kTable ? round_time_ : std::min(task.time_max, options_.time_max);
}

void BotThreads::run(const std::stop_token& stop) {
  base::lower_priority(limits::kBotNiceness);
  Rng rng(base::random_seed());
  std::unique_lock lock(mutex_);
  while (auto task = take(lock, stop)) {
    const Budget budget{.time = time_of(*task), .stop = task->stop};
    const bool analysis = task->urgency == Urgency::kAnalysis;
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
    if (analysis) --analysing_;
  }
}

}  // namespace tesela::bots
