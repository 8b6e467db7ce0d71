#include "server/store/sqlite/write/write.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>
#include <vector>

namespace tesela::store {
namespace {

/// The replies for one executor.
class Replies {
 public:
  explicit Replies(Executor executor) : executor_(std::move(executor)) {}

  [[nodiscard]] const Executor& executor() const { return executor_; }
  void add(Write& write) {
    replies_.emplace_back(std::move(write.resume), std::move(write.outcome));
  }

  void operator()() {
    while (next_ < replies_.size()) {
      auto& [resume, outcome] = replies_[next_++];
      try {
        resume(std::move(outcome));
      } catch (...) {
        // An exception of the caller propagates on its executor; the others are still resumed.
        post_to_executor(std::move(*this));
        throw;
      }
    }
  }

  static void post_to_executor(Replies replies) {
    const Executor executor = replies.executor_;
    boost::asio::post(executor, std::move(replies));
  }

 private:
  Executor executor_;
  std::vector<std::pair<Resume<Epoch>, Expected<Epoch>>> replies_;
  std::size_t next_{0};
};

}  // namespace

void reply(std::span<Write> batch) {
  std::vector<Replies> groups;
  for (Write& write : batch) {
    auto group = std::ranges::find(groups, write.executor, &Replies::executor);
    if (group == groups.end()) group = groups.emplace(group, std::move(write.executor));
    group->add(write);
  }
  for (Replies& group : groups) Replies::post_to_executor(std::move(group));
}

}  // namespace tesela::store
