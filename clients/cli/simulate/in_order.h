// Work shared between threads whose results are taken in order.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace tesela::cli {

/// How many pieces of work the fastest thread may be ahead of the first unfinished one, because
/// results in between are kept in memory. Then it waits.
inline constexpr std::uint64_t kAheadMax = 256;

template <class Work, class Take>
class InOrder {
 public:
  InOrder(std::uint64_t count, Work& work, Take& take) : count_{count}, work_{work}, take_{take} {}

  /// Uses this thread and `threads` - 1 others, and returns when all work is done.
  void run(unsigned threads) {
    std::vector<std::jthread> others;
    for (unsigned other = 1; other < threads; ++other) others.emplace_back([this] { share(); });
    share();
  }

 private:
  using Done = std::invoke_result_t<Work&, std::uint64_t>;

  void share() {
    for (auto number = begin_next(); number; number = begin_next())
      hand_in(*number, work_(*number));
  }

  std::optional<std::uint64_t> begin_next() {
    std::unique_lock lock{mutex_};
    moved_.wait(lock, [this] { return begun_ == count_ || begun_ < taken_ + kAheadMax; });
    return begun_ == count_ ? std::nullopt : std::optional{begun_++};
  }

  void hand_in(std::uint64_t number, Done done) {
    const std::lock_guard lock{mutex_};
    waiting_.emplace(number, std::move(done));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == taken_;
         first = waiting_.erase(first)) {
      take_(taken_++, std::move(first->second));
    }
    moved_.notify_all();
  }

  const std::uint64_t count_;
  Work& work_;
  Take& take_;
  std::mutex mutex_;
  std::condition_variable moved_;
  std::uint64_t begun_{0};
  std::uint64_t taken_{0};
  std::map<std::uint64_t, Done> waiting_;
};

/// Calls work(n) for every n below `count` on `threads` threads, and take(n, result) in ascending
/// order, one at a time. Neither may throw.
template <class Work, class Take>
void in_order(std::uint64_t count, unsigned threads, Work&& work, Take&& take) {
  InOrder<std::remove_reference_t<Work>, std::remove_reference_t<Take>>{count, work, take}.run(
      threads);
}

}  // namespace tesela::cli
