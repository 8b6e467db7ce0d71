// The threads that run the searches of bots and hints.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "server/base/limits.h"
#include "server/games/bot_request.h"
#include "server/metrics/metrics.h"

namespace tesela::bots {

/// Runs searches in the order of their arrival. Under load each gets less time: that of one search,
/// divided by the number that wait. Searches for which nobody waits at a table (those of tables
/// without connections, and of analyses) run only when no other waits, at most one each
/// `alone_interval`, each with a limit of its own. Any thread.
class BotThreads {
 public:
  struct Options {
    std::size_t threads{1};              // at least one
    std::chrono::microseconds time_max;  // of one search, when no other waits
    // The least time between two searches with `alone`.
    std::chrono::nanoseconds alone_interval{std::chrono::nanoseconds{std::chrono::seconds{1}} /
                                            limits::kBotTasksAlonePerSecond};
  };
  /// A search, and its callback.
  struct Task {
    games::SearchTask search;
    std::stop_token stop;  // checked before and during the search
    bool alone{};          // nobody waits for it at a table
    std::chrono::microseconds alone_time_max{limits::kThinkAlone};  // of a task with `alone`
    std::move_only_function<void(games::BotReply)>
        answer;  // called on a bot thread; not after a stop
  };

  BotThreads(Options options, metrics::Metrics& metrics);
  /// Waits for the searches under way; their callers must have stopped them.
  ~BotThreads();
  BotThreads(const BotThreads&) = delete;
  BotThreads& operator=(const BotThreads&) = delete;

  /// Queues a task. False, without effect, when limits::kBotTasksMax wait, or kBotTasksAloneMax
  /// tasks with `alone`.
  [[nodiscard]] bool ask(Task task);
  /// Tasks that run or wait.
  [[nodiscard]] std::size_t tasks() const;

 private:
  void run(const std::stop_token& stop);
  /// The next task, under the lock; empty when the thread is to end.
  [[nodiscard]] std::optional<Task> take(std::unique_lock<std::mutex>& lock,
                                         const std::stop_token& stop);
  [[nodiscard]] std::chrono::microseconds time_for_one() const;

  const Options options_;
  metrics::Metrics& metrics_;
  mutable std::mutex mutex_;
  std::condition_variable_any asked_;
  std::deque<Task> waiting_;  // from here on under the mutex
  std::deque<Task> alone_;
  std::size_t running_ = 0;
  std::chrono::steady_clock::time_point
      alone_after_{};                  // when the next task with `alone` may begin
  std::vector<std::jthread> threads_;  // last: they use everything above
};

}  // namespace tesela::bots
