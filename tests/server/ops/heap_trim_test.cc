#include "server/ops/heap_trim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace tesela::ops {
namespace heap_trim_test {

using std::chrono::milliseconds;

/// A load that is shown step by step: each look sees the next, and the last from then on.
class Course {
 public:
  explicit Course(std::vector<std::size_t> loads) : loads_(std::move(loads)) {}

  std::size_t next() {
    const std::scoped_lock lock(mutex_);
    const std::size_t load = loads_[std::min(looks_, loads_.size() - 1)];
    ++looks_;
    changed_.notify_all();
    return load;
  }
  /// Returns when the last step was shown, and what came of it is done.
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return looks_ > loads_.size(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::vector<std::size_t> loads_;
  std::size_t looks_ = 0;
};

/// How often memory was given back.
int trims_of(const std::vector<std::size_t>& loads) {
  Course course(loads);
  std::atomic<int> trims = 0;
  const HeapTrim trim({.load = [&] { return course.next(); },
                       .fall = 100,
                       .interval = milliseconds{1},
                       .trim = [&] { ++trims; }});
  course.wait();
  return trims;
}

TEST(HeapTrim, ComesWhenMuchHasGone) {
  EXPECT_EQ(trims_of({0, 500, 400}), 1);
  EXPECT_EQ(trims_of({0, 500, 450, 401, 400}), 1) << "little by little";
}

TEST(HeapTrim, ComesOnceForWhatHasGone) {
  EXPECT_EQ(trims_of({500, 0, 0, 0, 0}), 1);
  EXPECT_EQ(trims_of({500, 300, 100}), 2);
}

TEST(HeapTrim, LeavesALoadAloneThatComesAndGoesEvenly) {
  EXPECT_EQ(trims_of({500, 450, 500, 410, 480, 500, 401}), 0);
  EXPECT_EQ(trims_of({0, 10, 99, 0, 99}), 0);
}

TEST(HeapTrim, EndsAtOnceThoughTheNextLookIsFar) {
  const auto begun = std::chrono::steady_clock::now();
  std::make_unique<HeapTrim>(HeapTrim::Options{.load = [] { return std::size_t{0}; },
                                               .fall = 1,
                                               .interval = std::chrono::hours{1},
                                               .trim = {}})
      .reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::minutes{10});
}

}  // namespace heap_trim_test
}  // namespace tesela::ops
