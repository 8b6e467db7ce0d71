#include "server/store/sqlite/write/write.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tesela::store {
namespace {

/// The replies for one thread.
class Replies {
 public:
  explicit Replies(base::Continuation caller) : caller_(std::move(caller)) {}

  [[nodiscard]] const base::Continuation& caller() const { return caller_; }
  void add(Write& write) {
    replies_.emplace_back(std::move(write.resume), std::move(write.outcome));
  }

  void operator()() {
    while (next_ < replies_.size()) {
      auto& [resume, outcome] = replies_[next_++];
      try {
        resume(std::move(outcome));
      } catch (...) {
        // An exception of the caller propagates on its thread; the others are still resumed.
        post(std::move(*this));
        throw;
      }
    }
  }

  static void post(Replies replies) {
    const base::Continuation caller = replies.caller_;
    caller.post(std::move(replies));
  }

 private:
  base::Continuation caller_;
  std::vector<std::pair<Resume<void>, Expected<void>>> replies_;
  std::size_t next_{0};
};

}  // namespace

void reply(std::span<Write> batch) {
  std::vector<Replies> groups;
  for (Write& write : batch) {
    if (!write.resume) continue;
    auto group = std::ranges::find(groups, write.caller, &Replies::caller);
    if (group == groups.end()) group = groups.emplace(group, std::move(write.caller));
    group->add(write);
  }
  for (Replies& group : groups) Replies::post(std::move(group));
}

}  // namespace tesela::store
