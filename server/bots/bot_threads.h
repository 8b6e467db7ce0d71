// The threads that bots and hints think on, so that no network thread ever does.
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

/// First come, first served. Under load every search gets less time instead of waiting for ever:
/// the time of one, shared among those that wait. What is asked where nobody is connected comes
/// after all else, not more often than `alone_interval`, and gets little time. Thread-safe.
class BotThreads {
 public:
  struct Options {
    std::size_t threads{1};              // at least one
    std::chrono::microseconds time_max;  // of one search, when nobody waits
    // From one search for a table to which nobody is connected to the next, at least.
    std::chrono::nanoseconds alone_interval{std::chrono::nanoseconds{std::chrono::seconds{1}} /
                                            limits::kBotTasksAlonePerSecond};
  };
  /// One task.
  struct Task {
    games::SearchTask search;
    std::stop_token stop;  // asked before it is begun, and while it is thought about
    bool alone{};          // nobody is connected to the table
    std::move_only_function<void(games::BotReply)>
        answer;  // on a bot thread; not called after a stop
  };

  BotThreads(Options options, metrics::Metrics& metrics);
  /// Ends when the searches under way have: whoever asked stops them before.
  ~BotThreads();
  BotThreads(const BotThreads&) = delete;
  BotThreads& operator=(const BotThreads&) = delete;

  /// False, and nothing happens, when limits::kBotTasksMax wait, or kBotTasksAloneMax of those
  /// that are asked alone.
  [[nodiscard]] bool ask(Task task);

 private:
  void run(const std::stop_token& stop);
  /// The next task, under the lock; none when the thread is to end.
  [[nodiscard]] std::optional<Task> take(std::unique_lock<std::mutex>& lock,
                                         const std::stop_token& stop);
  [[nodiscard]] std::chrono::microseconds time_for_one() const;

  const Options options_;
  metrics::Metrics& metrics_;
  std::mutex mutex_;
  std::condition_variable_any asked_;
  std::deque<Task> waiting_;  // from here on under the mutex
  std::deque<Task> alone_;
  std::chrono::steady_clock::time_point alone_after_{};  // the next of those
  std::vector<std::jthread> threads_;                    // last: they use everything above
};

}  // namespace tesela::bots
