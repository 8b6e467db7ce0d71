#include "server/replay/execution_queue.h"

#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/base/scale_limits.h"
#include "server/store/suspend.h"

namespace tesela::replay {

class ExecutionQueue::State : public std::enable_shared_from_this<ExecutionQueue::State> {
 public:
  State(std::size_t at_once, std::size_t waiting_max)
      : at_once_(at_once), waiting_max_(waiting_max) {}

  void add(Urgency urgency, TableId table, base::Continuation caller, store::Resume<Turn> resume) {
    Waiter waiter{
        .table = table, .number = 0, .caller = std::move(caller), .resume = std::move(resume)};
    std::unique_lock lock(mutex_);
    if (running_ < at_once_) {
      ++running_;
      lock.unlock();
      return post(std::move(waiter), Turn(shared_from_this()));
    }
    waiter.number = ++last_number_;
    auto refused = insert_within_limit(urgency, std::move(waiter));
    lock.unlock();
    if (!refused) return;
    post(std::move(*refused),
         refuse(ErrorCode::kUnavailable, "Too many come back at once; try again soon."));
  }

  void give_back() {
    std::optional<Waiter> next;
    {
      const std::scoped_lock lock(mutex_);
      next = take();
      if (!next) --running_;
    }
    if (next) post(std::move(*next), Turn(shared_from_this()));
  }

  void hurry(TableId table, Urgency urgency) {
    const std::scoped_lock lock(mutex_);
    const auto [first, last] = of_table_.equal_range(table);
    std::vector<std::uint64_t> numbers;
    for (auto it = first; it != last; ++it) numbers.push_back(it->second);
    for (const std::uint64_t number : numbers) {
      Urgency& now = numbers_.at(number);
      if (now <= urgency) continue;
      auto node = waiting_.extract({now, number});
      node.key() = {urgency, number};
      waiting_.insert(std::move(node));
      now = urgency;
    }
  }

  std::size_t waiting() const {
    const std::scoped_lock lock(mutex_);
    return numbers_.size();
  }

  /// Nobody is resumed any more.
  void close() {
    std::map<Key, Waiter> dropped;
    {
      const std::scoped_lock lock(mutex_);
      closed_ = true;
      dropped.swap(waiting_);
      numbers_.clear();
      of_table_.clear();
    }
  }

 private:
  struct Waiter {
    TableId table;
    std::uint64_t number;
    base::Continuation caller;
    store::Resume<Turn> resume;
  };
  /// The urgency, and when it has come.
  using Key = std::pair<Urgency, std::uint64_t>;

  static void post(Waiter waiter, Expected<Turn> turn) {
    waiter.caller.post([resume = std::move(waiter.resume), turn = std::move(turn)]() mutable {
      resume(std::move(turn));
    });
  }

  // The functions below need the mutex.

  /// The waiter that does not fit: of all, this one included, the latest of the least urgent.
  std::optional<Waiter> insert_within_limit(Urgency urgency, Waiter waiter) {
    if (closed_ || waiting_max_ == 0) return waiter;
    std::optional<Waiter> refused;
    if (numbers_.size() >= waiting_max_) {
      if (std::prev(waiting_.end())->first.first <= urgency) return waiter;
      refused = extract(std::prev(waiting_.end()));
    }
    insert(urgency, std::move(waiter));
    return refused;
  }

  void insert(Urgency urgency, Waiter waiter) {
    const std::uint64_t number = waiter.number;
    of_table_.emplace(waiter.table, number);
    numbers_.emplace(number, urgency);
    waiting_.emplace(Key{urgency, number}, std::move(waiter));
  }

  std::optional<Waiter> take() {
    if (waiting_.empty()) return std::nullopt;
    ++begun_;
    const bool oldest = begun_ % limits::kExecutionsPerOldest == 0;
    const auto first = numbers_.begin();
    return extract(oldest ? waiting_.find({first->second, first->first}) : waiting_.begin());
  }

  Waiter extract(std::map<Key, Waiter>::iterator waiter) {
    auto node = waiting_.extract(waiter);
    numbers_.erase(node.mapped().number);
    const auto [begin, end] = of_table_.equal_range(node.mapped().table);
    for (auto it = begin; it != end; ++it) {
      if (it->second != node.mapped().number) continue;
      of_table_.erase(it);
      break;
    }
    return std::move(node.mapped());
  }

  const std::size_t at_once_;
  const std::size_t waiting_max_;
  mutable std::mutex mutex_;
  std::map<Key, Waiter> waiting_;
  std::map<std::uint64_t, Urgency> numbers_;  // of those in `waiting_`, the oldest first
  std::unordered_multimap<TableId, std::uint64_t> of_table_;
  std::size_t running_{0};
  std::uint64_t last_number_{0};
  std::uint64_t begun_{0};  // of those that have waited
  bool closed_{false};
};

ExecutionQueue::Turn& ExecutionQueue::Turn::operator=(Turn&& other) noexcept {
  if (this != &other) {
    give_back();
    state_ = std::move(other.state_);
  }
  return *this;
}

void ExecutionQueue::Turn::give_back() {
  if (const auto state = std::exchange(state_, nullptr)) state->give_back();
}

ExecutionQueue::ExecutionQueue(std::size_t at_once, std::size_t waiting_max)
    : state_(std::make_shared<State>(at_once, waiting_max)) {}

ExecutionQueue::~ExecutionQueue() {
  state_->close();
}

boost::asio::awaitable<Expected<ExecutionQueue::Turn>> ExecutionQueue::enter(Urgency urgency,
                                                                             TableId table) {
  return store::suspend<Turn>(
      [state = state_, urgency, table](base::Continuation caller, auto resume) mutable {
        state->add(urgency, table, std::move(caller), std::move(resume));
      });
}

void ExecutionQueue::hurry(TableId table, Urgency urgency) {
  state_->hurry(table, urgency);
}

std::size_t ExecutionQueue::waiting() const {
  return state_->waiting();
}

}  // namespace tesela::replay
