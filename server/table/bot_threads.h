// The threads that bots and hints think on, so that no network thread ever does.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "server/ops/metrics.h"
#include "server/table/think.h"

namespace tesela::table {

/// First come, first served. Under load every thought gets less time instead of waiting for ever:
/// the time of one, shared among those that wait. Thread-safe.
class BotThreads {
 public:
  struct Options {
    std::size_t threads{1};              // at least one
    std::chrono::microseconds time_max;  // of one thought, when nobody waits
  };
  /// One question.
  struct Question {
    Think think;
    std::stop_token stop;  // asked before it is begun, and while it is thought about
    std::move_only_function<void(Advice)> answer;  // on a bot thread; not called after a stop
  };

  BotThreads(Options options, ops::Metrics& metrics);
  /// Ends when the thoughts under way have: whoever asked stops them before.
  ~BotThreads();
  BotThreads(const BotThreads&) = delete;
  BotThreads& operator=(const BotThreads&) = delete;

  /// False, and nothing happens, when limits::kQuestionsMax wait.
  [[nodiscard]] bool ask(Question question);

 private:
  void run(const std::stop_token& stop);
  [[nodiscard]] std::chrono::microseconds time_for_one() const;

  const Options options_;
  ops::Metrics& metrics_;
  std::mutex mutex_;
  std::condition_variable_any asked_;
  std::deque<Question> waiting_;       // under the mutex
  std::vector<std::jthread> threads_;  // last: they use everything above
};

}  // namespace tesela::table
