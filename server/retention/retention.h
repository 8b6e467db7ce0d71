// Deletes data that nobody needs any more, in the background.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "engine/core/result.h"
#include "server/base/loop.h"
#include "server/base/worker.h"
#include "server/metrics/metrics.h"
#include "server/retention/fate.h"
#include "server/store/removals.h"

namespace tesela::retention {

/// Searches at intervals, in small steps with pauses between them. Each step is one transaction,
/// and where it stops the next one goes on, also after a restart. `stop` returns when the step
/// under way has ended.
class Retention final : public base::Worker {
 public:
  struct Parts {
    base::Loop& loop;
    store::Removals& store;
    metrics::Metrics& metrics;
    std::chrono::milliseconds keep_games;   // 0: for ever
    std::chrono::milliseconds keep_guests;  // 0: for ever
    /// Whether this server deletes, for all that share the database.
    std::function<bool()> on_duty = [] { return true; };
  };

  explicit Retention(Parts parts);

  /// One step at the time `now_ms`. Returns the deleted counts; `more`: there is more to do now. On
  /// the loop. Errors: those of store::Removals.
  boost::asio::awaitable<Expected<store::Removed>> step(std::int64_t now_ms);

 private:
  /// How far it was searched for tables whose end was stored late. It goes on with the deletion of
  /// what was found.
  struct LateSearch {
    std::optional<std::int64_t> searched_before_ms{};  // empty: the last search was another's
    std::optional<store::EndedCursor> looked_until{};  // of the search under way
  };

  boost::asio::awaitable<void> run() override;
  boost::asio::awaitable<void> search();
  boost::asio::awaitable<Expected<bool>> add_tables(const Before& before, store::Removal& removal);
  boost::asio::awaitable<Expected<bool>> add_late_tables(const Before& before,
                                                         store::Removal& removal, LateSearch& late);
  boost::asio::awaitable<Expected<bool>> add_guests(const Before& before, store::Removal& removal);
  void count(const store::Removed& removed);
  void tell_open_reports(const store::Removed& removed);

  const Parts parts_;
  const std::chrono::milliseconds interval_;
  LateSearch late_;
};

}  // namespace tesela::retention
