// The log of every table: the records of its events in the order of versions.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/loop.h"
#include "server/store/boards.h"
#include "server/store/suspend.h"

namespace tesela::store {

/// The end of a table: the result of its game, or that it was closed.
struct Ending {
  std::string result;       // an encoded tesela.play.v1.Result; empty for a closed table
  std::int64_t ended_ms{};  // Unix time in milliseconds

  friend bool operator==(const Ending&, const Ending&) = default;
};

/// One event to append.
struct Append {
  TableId table;
  Epoch epoch;                     // the owner's, from Ownership::claim
  Version version;                 // exactly one more than the table's last
  std::string record;              // an encoded tesela.log.v1.Record
  std::optional<Ending> ending{};  // set when the game ended: the table's row changes with it
  GameOutcome outcome{};           // what the ended game counts for; empty while it goes on
};

/// One event of the log.
struct Entry {
  Version version;
  std::string record;

  friend bool operator==(const Entry&, const Entry&) = default;
};

/// Threading: every function may be called from any executor. The caller's coroutine resumes on its
/// own executor.
class EventReader {
 public:
  virtual ~EventReader() = default;

  /// The events from `from` (at least 1) on, in order, at most `max` of them. Empty at the end of
  /// the log. Errors: kNotFound (no such table), kUnavailable, kCorrupt.
  virtual boost::asio::awaitable<Expected<std::vector<Entry>>> read(TableId table, Version from,
                                                                    std::size_t max) = 0;

  /// The table's newest event; empty when its game has not begun. Errors as in `read`.
  virtual boost::asio::awaitable<Expected<std::optional<Entry>>> last(TableId table) = 0;
};

/// Threading as EventReader. Implementations keep the order of appends that one caller awaits one
/// after the other.
class EventLog : public EventReader {
 public:
  /// Appends one event, with the table's ending and its effect on ratings and boards, durably:
  /// after success it survives a crash of the process and of the machine. Errors, all of which
  /// leave the log as it was:
  ///   kFenced       the epoch is not the table's, or the version is not the next one
  ///   kNotFound     no such table
  ///   kUnavailable  the store could not be written (disk full, stopping, queue full)
  ///   kInternal     it is unknown whether the event was stored: read the log before doing anything
  ///   else
  /// In a co_await, pass a named value (`append(std::move(event))`): GCC 12 destroys a temporary
  /// aggregate twice there.
  boost::asio::awaitable<Expected<void>> append(Append append) {
    return suspend<void>(
        [this, append = std::move(append)](base::Continuation caller, auto resume) mutable {
          begin_append(std::move(append), std::move(caller), std::move(resume));
        });
  }
  /// The same without a coroutine: `resume` is called where the caller goes on, never inside this
  /// call.
  virtual void begin_append(Append append, base::Continuation caller, Resume<void> resume) = 0;
};

}  // namespace tesela::store
