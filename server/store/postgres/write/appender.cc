#include "server/store/postgres/write/appender.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <iterator>
#include <optional>
#include <ranges>
#include <utility>

#include "server/base/limits.h"
#include "server/base/store_limits.h"
#include "server/store/postgres/connection/attempts.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;
using std::chrono::steady_clock;

/// The answers for one thread.
class Answers {
 public:
  explicit Answers(base::Continuation caller) : caller_(std::move(caller)) {}

  [[nodiscard]] const base::Continuation& caller() const { return caller_; }
  void add(std::unique_ptr<PendingAppend> append) { appends_.push_back(std::move(append)); }

  void operator()() {
    while (next_ < appends_.size()) {
      PendingAppend& append = *appends_[next_++];
      try {
        append.resume(std::move(append.what.outcome));
      } catch (...) {
        // An exception of the caller propagates on its thread; the others are still resumed.
        post(std::move(*this));
        throw;
      }
    }
  }

  static void post(Answers answers) {
    const base::Continuation caller = answers.caller_;
    caller.post(std::move(answers));
  }

 private:
  base::Continuation caller_;
  std::vector<std::unique_ptr<PendingAppend>> appends_;
  std::size_t next_{0};
};

template <class Appends>
std::vector<Appending*> appends_of(const Appends& batch) {
  std::vector<Appending*> appends;
  appends.reserve(batch.size());
  for (const auto& each : batch) appends.push_back(&each->what);
  return appends;
}

}  // namespace

Appender::Appender(base::Loop& loop, ConnectionPool& pool, Health& health, OnCommit on_commit,
                   OnAnswer on_answer)
    : loop_(loop),
      pool_(pool),
      health_(health),
      on_commit_(std::move(on_commit)),
      on_answer_(std::move(on_answer)),
      changed_(loop, Time::max()) {}

void Appender::start() {
  for (std::size_t i = 0; i < limits::kPostgresAppenders; ++i) {
    boost::asio::co_spawn(loop_, write(), boost::asio::detached);
  }
}

void Appender::submit(std::unique_ptr<PendingAppend> append) {
  if (waiting_.size() >= limits::kStoreQueueMax) {
    append->what.outcome =
        refuse(ErrorCode::kUnavailable, "The server has too much to store: try again soon.");
    Appends refused;
    refused.push_back(std::move(append));
    answer(std::move(refused));
    return;
  }
  waiting_.push_back(std::move(append));
  if (should_send()) tell_change();
}

void Appender::drain() {
  draining_ = true;
  tell_change();
}

void Appender::close() {
  closed_ = true;
  tell_change();
}

awaitable<void> Appender::write() {
  while (!(closed_ && waiting_.empty())) {
    if (!should_send()) {
      co_await wait_for_change();
      continue;
    }
    Connection* const connection = co_await pool_.take(waiting_.front()->until);
    if (connection == nullptr) {
      give_up(draining_);
      continue;
    }
    Appends batch = next_batch();
    if (batch.empty()) {
      pool_.give_back(connection);
      if (!waiting_.empty()) co_await wait_for_change();
      continue;
    }
    const std::size_t size = batch.size();
    under_way_ += size;
    co_await commit(*connection, std::move(batch));
    under_way_ -= size;
    pool_.give_back(connection);
    tell_change();
  }
}

/// While one connection commits, the other gathers as much: small batches cost as much as large
/// ones.
bool Appender::should_send() const {
  if (waiting_.empty()) return false;
  return under_way_ == 0 || waiting_.size() >= std::min(under_way_, limits::kStoreBatchMax);
}

Appender::Appends Appender::next_batch() {
  Appends batch;
  std::size_t bytes = 0;
  std::deque<std::unique_ptr<PendingAppend>> rest;
  while (!waiting_.empty()) {
    std::unique_ptr<PendingAppend>& first = waiting_.front();
    const Append& append = first->what.append;
    const bool fits =
        batch.empty() ||
        (!first->alone && !batch.front()->alone && batch.size() < limits::kStoreBatchMax &&
         bytes + append.record.size() <= limits::kPostgresBatchBytesMax);
    if (!fits) break;
    if (tables_under_way_.insert(append.table).second) {
      bytes += append.record.size();
      batch.push_back(std::move(first));
    } else {
      rest.push_back(std::move(first));
    }
    waiting_.pop_front();
  }
  std::ranges::move(rest | std::views::reverse, std::front_inserter(waiting_));
  std::ranges::sort(batch, {}, [](const auto& each) { return each->what.append.table; });
  return batch;
}

awaitable<void> Appender::commit(Connection& connection, Appends batch) {
  const auto begin = steady_clock::now();
  std::optional<Failure> failure;
  try {
    co_await send(connection, batch);
  } catch (const Failure& failed) {
    failure.emplace(failed);
  }
  for (const auto& each : batch) tables_under_way_.erase(each->what.append.table);
  if (on_commit_) on_commit_({batch.size(), steady_clock::now() - begin, !failure});
  if (!failure) {
    health_.works();
    answer(std::move(batch));
    co_return;
  }
  const bool is_refused = retry(std::move(batch), *failure);
  if (is_refused) co_await pause_after_refusal(waiting_.front()->until);
}

awaitable<void> Appender::send(Connection& connection, const Appends& batch) {
  const auto latest =
      std::ranges::max_element(batch, {}, [](const auto& each) { return each->until; });
  const Time until = (*latest)->until;
  const std::vector<Appending*> appends = appends_of(batch);
  Batch pipeline;
  add_appends(pipeline, appends);
  const auto appended = co_await connection.run(std::move(pipeline), until);
  const std::vector<Appending*> fenced = not_stored(appended.front(), appends);
  if (fenced.empty()) co_return;
  // The others are committed, whatever becomes of the questions.
  for (Appending* each : appends) {
    each->again = each->again || std::ranges::find(fenced, each) == fenced.end();
  }
  Batch questions;
  add_questions(questions, fenced);
  const auto answers = co_await connection.run(std::move(questions), until);
  judge(answers[0], answers[1], fenced);
}

/// Puts a batch back that was not answered. What may be stored already is sent again, also where it
/// was refused: then its table has gone on, and the log says by whom. But for a value: an earlier
/// try has not stored it either. Whose value it is shows when each is sent by itself.
bool Appender::retry(Appends batch, const Failure& failure) {
  Appends answered;
  Appends again;
  const bool is_value = failure.is_value();
  const bool is_in_one = is_value && batch.size() > 1;
  const bool is_refused = !failure.is_lost() && !failure.is_conflict() && !is_in_one;
  for (auto& each : batch) {
    each->what.again = each->what.again || failure.is_lost();
    each->alone = each->alone || is_in_one;
    each->conflicts += failure.is_conflict() ? 1 : 0;
    const bool is_over = steady_clock::now() >= each->until;
    const bool is_given_up = is_refused || each->conflicts > limits::kPostgresConflictsMax;
    if (is_given_up && (is_value || !each->what.again)) {
      each->what.outcome = std::unexpected(refused(failure));
      answered.push_back(std::move(each));
    } else if (is_over) {
      each->what.outcome = std::unexpected(not_answered(each->what.again));
      answered.push_back(std::move(each));
    } else {
      again.push_back(std::move(each));
    }
  }
  if (is_refused && !is_value) health_.failed(failure);
  const bool is_sent_again = is_refused && !again.empty();
  std::ranges::move(again | std::views::reverse, std::front_inserter(waiting_));
  answer(std::move(answered));
  return is_sent_again;
}

void Appender::answer(Appends batch) {
  const std::size_t count = batch.size();
  std::vector<Answers> groups;
  for (auto& each : batch) {
    auto group = std::ranges::find(groups, each->caller, &Answers::caller);
    if (group == groups.end()) group = groups.emplace(group, each->caller);
    group->add(std::move(each));
  }
  for (Answers& group : groups) Answers::post(std::move(group));
  if (count > 0) on_answer_(count);
}

void Appender::give_up(bool all) {
  Appends over;
  std::deque<std::unique_ptr<PendingAppend>> rest;
  for (auto& each : waiting_) {
    if (!all && steady_clock::now() < each->until) {
      rest.push_back(std::move(each));
      continue;
    }
    each->what.outcome = std::unexpected(not_answered(each->what.again));
    over.push_back(std::move(each));
  }
  waiting_ = std::move(rest);
  answer(std::move(over));
}

awaitable<void> Appender::wait_for_change() {
  boost::system::error_code cancelled;
  co_await changed_.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, cancelled));
}

void Appender::tell_change() {
  changed_.cancel();
}

}  // namespace tesela::store::postgres
