// The threads that run the searches of bots and hints.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/games/bot_request.h"
#include "server/metrics/metrics.h"

namespace tesela::bots {

/// Runs searches. Any thread.
///
/// Those that players wait for (kTable) are begun in the order of their arrival, in rounds. When
/// all of a round are begun, those that wait are the next round. All of a round get the same time:
/// `time_max` * threads / their number, at most `time_max`, at least limits::kThinkTimeMin. So all
/// are begun within about `time_max` from when all threads are free for them, unless the least time
/// is more than their share. Searches that run already are not shortened: the whole time, at most.
/// One that does not wait is a round of its own and gets the whole time.
///
/// The others are begun only when none of those waits, and when both may begin, in turn:
/// - kAnalysis: at once on one in limits::kThreadsPerAnalysis threads, at least one. The other
///   threads stay free for moves; with one thread a move waits for the end of one search. There is
///   no pause between them, because somebody waits for the next.
/// - kAlone: at most one each `alone_interval`.
class BotThreads {
 public:
  struct Options {
    std::size_t threads{1};              // at least one
    std::chrono::microseconds time_max;  // of one search; at least limits::kThinkTimeMin
    // The least time between the beginnings of two searches with kAlone.
    std::chrono::nanoseconds alone_interval{std::chrono::nanoseconds{std::chrono::seconds{1}} /
                                            limits::kBotTasksAlonePerSecond};
  };
  /// What a search is for.
  enum class Urgency : std::uint8_t {
    kTable,     // a move or a hint at a table with connections
    kAnalysis,  // an analysis of a game that is over
    kAlone,     // a move at a table without connections
  };
  /// A search, and its callback.
  struct Task {
    games::SearchTask search;
    std::stop_token stop;  // checked before and during the search
    Urgency urgency{Urgency::kTable};
    // Of kAnalysis and kAlone: the most time, if it is less than Options::time_max.
    std::chrono::microseconds time_max{limits::kThinkAlone};
    std::move_only_function<void(games::BotReply)>
        answer;  // called on a bot thread; not after a stop
  };

  BotThreads(Options options, metrics::Metrics& metrics);
  /// Waits for the searches under way; their callers must have stopped them.
  ~BotThreads();
  BotThreads(const BotThreads&) = delete;
  BotThreads& operator=(const BotThreads&) = delete;

  /// Queues a task. False, without effect, when too many wait: limits::kBotTasksMax of kTable,
  /// kBotTasksAloneMax of kAlone, or kAnalysesMax of kAnalysis, of which the stopped do not count.
  [[nodiscard]] bool ask(Task task);
  /// Tasks that run or wait.
  [[nodiscard]] std::size_t tasks() const;

 private:
  using Queue = std::deque<Task>;

  void run(const std::stop_token& stop);
  // From here on under the mutex.
  /// The next task; empty when the thread is to end.
  [[nodiscard]] std::optional<Task> take(std::unique_lock<std::mutex>& lock,
                                         const std::stop_token& stop);
  /// The queue whose first task may begin now, if one may.
  [[nodiscard]] std::optional<Urgency> next() const;
  [[nodiscard]] bool waits(Urgency urgency) const;
  [[nodiscard]] bool may_analyse() const;
  Task take_first(Urgency urgency);
  void begin_round();
  /// The time of a task that was just taken.
  [[nodiscard]] std::chrono::microseconds time_of(const Task& task) const;
  Queue& queue(Urgency urgency) { return queues_[std::to_underlying(urgency)]; }

  const Options options_;
  metrics::Metrics& metrics_;
  mutable std::mutex mutex_;
  std::condition_variable_any asked_;
  std::array<Queue, 3> queues_;             // by Urgency; from here on under the mutex
  std::size_t round_ = 0;                   // the first so many of kTable are of this round
  std::chrono::microseconds round_time_{};  // of each of them
  std::size_t running_ = 0;
  std::size_t analysing_ = 0;   // of `running_`, those with kAnalysis
  bool analysed_last_ = false;  // the last task that was not kTable was kAnalysis
  std::chrono::steady_clock::time_point alone_after_{};  // when the next task with kAlone may begin
  std::vector<std::jthread> threads_;                    // last: they use everything above
};

}  // namespace tesela::bots
