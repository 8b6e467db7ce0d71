// Executes a table's log from a start, record by record.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/record.h"
#include "server/codec/table_options.h"
#include "server/execution/execution.h"
#include "server/games/match.h"
#include "server/replay/start_of_execution.h"

namespace tesela::replay {

/// One coroutine at a time. Not after an error.
class LogExecution {
 public:
  /// Executes from `start` to `until`; 0: to the end.
  LogExecution(Source source, TableId table, const codec::TableOptions& options, Start start,
               Version until);

  /// Whether a record that was read waits to be played.
  [[nodiscard]] bool has_next() const { return next_ < page_.size(); }
  /// Reads records when none waits; whether there are any. Lets other coroutines of the executor
  /// run. Errors: those of EventLog::read; kCorrupt for a gap, a record that cannot be decoded, or
  /// one that takes back a move that is not in force.
  boost::asio::awaitable<Expected<bool>> read();
  /// The record that is played next.
  [[nodiscard]] const codec::Record& next_record() const { return page_[next_]; }
  /// Plays it; that of version 1 begins the game, and nothing is `Played`. Error: kCorrupt.
  [[nodiscard]] Expected<games::Played> play(games::Want want);

  /// The position after the record that was played last, or of the start; none at version 0.
  [[nodiscard]] const execution::Execution& now() const { return execution_; }
  [[nodiscard]] execution::Execution& now() { return execution_; }

 private:
  /// Finds the positions that undo records of the page go back to.
  boost::asio::awaitable<Expected<void>> prepare_returns();

  const Source source_;
  const TableId table_;
  const Version until_;
  execution::Execution execution_;
  std::vector<codec::Record> page_;
  std::size_t next_ = 0;  // index in `page_`
  bool last_page_ = false;
};

}  // namespace tesela::replay
