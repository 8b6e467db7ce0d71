#include "server/store/sqlite/reader_pool.h"

#include <utility>

#include "server/net/limits.h"

namespace tesela::store {

ReaderPool::ReaderPool(std::vector<Queries> readers) : readers_(std::move(readers)) {
  for (Queries& queries : readers_) threads_.emplace_back([this, &queries] { run(queries); });
}

ReaderPool::~ReaderPool() {
  close();
}

void ReaderPool::submit(Job job) {
  const char* refusal = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    if (closed_) {
      refusal = "The server is stopping.";
    } else if (jobs_.size() >= limits::kStoreReadQueueMax) {
      refusal = "The server has too much to read: try again soon.";
    } else {
      jobs_.push_back(std::move(job));
    }
  }
  if (refusal != nullptr) {
    job(refuse(ErrorCode::kUnavailable, refusal));
  } else {
    wake_.notify_one();
  }
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
