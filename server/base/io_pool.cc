#include "server/base/io_pool.h"

#include <algorithm>

#include "server/base/limits.h"
#include "server/base/thread_priority.h"

namespace tesela::base {

IoPool::IoPool(std::size_t threads, int niceness) : niceness_(niceness) {
  for (std::size_t i = 0; i < std::max<std::size_t>(threads, 1); ++i) {
    guards_.push_back(boost::asio::make_work_guard(contexts_.emplace_back(1)));
  }
}

IoPool::~IoPool() {
  stop();
  join();
}

void IoPool::run() {
  for (auto& context : contexts_) {
    threads_.emplace_back([this, &context] {
      if (niceness_ > 0) {
        step_back(niceness_);
      } else {
        shorten_slice(limits::kStreamSlice);
      }
      context.run();
    });
  }
}

void IoPool::join() {
  guards_.clear();
  for (auto& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
  threads_.clear();
}

void IoPool::stop() {
  for (auto& context : contexts_) context.stop();
}

std::size_t IoPool::index_of(TableId table) const {
  // Ids are random, so the remainder distributes them evenly.
  return static_cast<std::size_t>(table.value % contexts_.size());
}

boost::asio::io_context& IoPool::any() {
  return contexts_[turn_.fetch_add(1, std::memory_order_relaxed) % contexts_.size()];
}

}  // namespace tesela::base
