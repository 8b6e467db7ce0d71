#include "server/base/io_pool.h"

#include <algorithm>
#include <utility>

#include "server/base/limits.h"
#include "server/base/threads/thread_name.h"
#include "server/base/threads/thread_priority.h"

namespace tesela::base {

IoPool::IoPool(std::size_t threads, int niceness, std::string name)
    : niceness_(niceness), name_(std::move(name)) {
  for (std::size_t i = 0; i < std::max<std::size_t>(threads, 1); ++i) loops_.emplace_back();
}

IoPool::~IoPool() {
  stop();
  join();
}

void IoPool::run() {
  for (Loop& loop : loops_) {
    threads_.emplace_back([this, &loop, number = threads_.size()] {
      name_thread(name_ + "-" + std::to_string(number));
      if (niceness_ > 0) {
        lower_priority(niceness_);
      } else {
        shorten_slice(limits::kStreamSlice);
      }
      loop.run();
    });
  }
}

void IoPool::join() {
  for (Loop& loop : loops_) loop.finish();
  for (auto& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
  threads_.clear();
}

void IoPool::stop() {
  for (Loop& loop : loops_) loop.stop();
}

std::size_t IoPool::index_of(TableId table) const {
  // Ids are random, so the remainder distributes them evenly.
  return static_cast<std::size_t>(table.value % loops_.size());
}

Loop& IoPool::any() {
  return loops_[turn_.fetch_add(1, std::memory_order_relaxed) % loops_.size()];
}

}  // namespace tesela::base
