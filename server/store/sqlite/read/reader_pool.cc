#include "server/store/sqlite/read/reader_pool.h"

#include <utility>

#include "server/base/limits.h"
#include "server/base/threads/thread_name.h"
#include "server/store/refusals.h"

namespace tesela::store {

ReaderPool::ReaderPool(const std::string& name, std::vector<std::unique_ptr<Queries>> readers)
    : readers_(std::move(readers)) {
  for (const auto& queries : readers_) {
    threads_.emplace_back(
        [this, &queries = *queries, name = name + "-" + std::to_string(threads_.size())] {
          base::name_thread(name);
          run(queries);
        });
  }
}

ReaderPool::~ReaderPool() {
  close();
}

void ReaderPool::submit(Job job) {
  if (auto pushed = push(job); !pushed) {
    job(std::unexpected(std::move(pushed.error())));
  } else {
    wake_.notify_one();
  }
}

Expected<void> ReaderPool::push(Job& job) {
  const std::scoped_lock lock(mutex_);
  if (closed_) return stopping();
  if (jobs_.size() >= limits::kStoreReadQueueMax) {
    return refuse(ErrorCode::kUnavailable, "The server has too much to read: try again soon.");
  }
  jobs_.push_back(std::move(job));
  return {};
}

void ReaderPool::close() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void ReaderPool::run(Queries& queries) {
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return !jobs_.empty() || closed_; });
      if (jobs_.empty()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job(&queries);
  }
}

}  // namespace tesela::store
