// Runs what executes logs on the threads for that, in the order of the queue for them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <utility>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/io_pool.h"
#include "server/replay/damaged_tables.h"
#include "server/replay/execution_queue.h"

namespace tesela::replay {

/// The threads that execute logs, the queue for them, and where damage is noted that executions
/// meet; all outlive it. Without threads: the caller's.
struct Aside {
  base::IoPool* threads{};
  ExecutionQueue* queue{};
  DamagedTables* damaged{};  // null: nowhere

  /// A table was read in vain.
  void note(TableId table, const Error& error) const {
    if (damaged != nullptr) damaged->note(table, error);
  }
};

/// On a thread of executions. The turn ends there, not when the caller's thread has time.
template <class T>
boost::asio::awaitable<Expected<T>> run_in_turn(ExecutionQueue::Turn turn,
                                                boost::asio::awaitable<Expected<T>> work) {
  auto done = co_await std::move(work);
  turn = ExecutionQueue::Turn();
  co_return done;
}

template <class T>
boost::asio::awaitable<Expected<T>> run_on_threads(Aside aside, Urgency urgency, TableId table,
                                                   boost::asio::awaitable<Expected<T>> work) {
  if (aside.threads == nullptr) co_return co_await std::move(work);
  auto turn = co_await aside.queue->enter(urgency, table);
  if (!turn) co_return std::unexpected(std::move(turn.error()));
  auto in_turn = run_in_turn(std::move(*turn), std::move(work));
  co_return co_await aside.threads->any().call(std::move(in_turn));
}

/// Runs `work`, which executes the log of a table, on a thread of `aside` when it is its turn;
/// resumes the caller on its own executor. `work` must not wait for a turn itself. Errors: those of
/// `work`; kUnavailable when too many wait.
template <class T>
boost::asio::awaitable<Expected<T>> run_aside(Aside aside, Urgency urgency, TableId table,
                                              boost::asio::awaitable<Expected<T>> work) {
  auto done = co_await run_on_threads(aside, urgency, table, std::move(work));
  if (!done) aside.note(table, done.error());
  co_return done;
}

}  // namespace tesela::replay
