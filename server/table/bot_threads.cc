#include "server/table/bot_threads.h"

#include <algorithm>
#include <utility>

#include "server/net/limits.h"
#include "server/ops/random.h"
#include "server/ops/thread_priority.h"

namespace tesela::table {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::steady_clock;

}  // namespace

BotThreads::BotThreads(Options options, ops::Metrics& metrics)
    : options_(options), metrics_(metrics) {
  for (std::size_t i = 0; i < std::max<std::size_t>(1, options_.threads); ++i) {
    threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
  }
}

BotThreads::~BotThreads() {
  for (auto& thread : threads_) thread.request_stop();
}

bool BotThreads::ask(Question question) {
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_.size() >= limits::kQuestionsMax) return false;
    waiting_.push_back(std::move(question));
  }
  asked_.notify_one();
  return true;
}

microseconds BotThreads::time_for_one() const {
  const auto share = options_.time_max / (1 + waiting_.size() / threads_.size());
  return std::max<microseconds>(share, limits::kThinkTimeMin);
}

void BotThreads::run(const std::stop_token& stop) {
  ops::step_back(limits::kBotNiceness);
  Rng rng(ops::random_seed());
  std::unique_lock lock(mutex_);
  while (asked_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
    Question question = std::move(waiting_.front());
    waiting_.pop_front();
    const Budget budget{.time = time_for_one(), .stop = question.stop};
    lock.unlock();
    if (!question.stop.stop_requested()) {
      const auto begin = steady_clock::now();
      Advice advice = question.think(rng, budget);
      metrics_.think_seconds().Observe(
          std::chrono::duration<double>(steady_clock::now() - begin).count());
      if (!question.stop.stop_requested()) question.answer(std::move(advice));
    }
    question = {};  // what it holds goes before the next wait
    lock.lock();
  }
}

}  // namespace tesela::table
