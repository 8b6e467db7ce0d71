// The changes of tables on PostgreSQL.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>

#include "server/store/postgres/calls.h"
#include "server/store/postgres/connection/health.h"
#include "server/store/table_changes.h"

namespace tesela::store::postgres {

/// Its own changes are those of one store: its connections name it as their writer. They are read
/// as well for limits::kChangesKept after a write whose outcome stayed unknown, because nobody has
/// told of it here and it may be committed later. Any thread, as TableChanges.
class ChangeReader final : public TableChanges {
 public:
  /// Everything outlives it.
  ChangeReader(Calls& reads, Calls& writes, const Health& health, std::int64_t writer)
      : reads_(reads), writes_(writes), health_(health), writer_(writer) {}
  ChangeReader(const ChangeReader&) = delete;
  ChangeReader& operator=(const ChangeReader&) = delete;

  boost::asio::awaitable<Expected<TableChangesRead>> read(ChangesQuery query) override;
  boost::asio::awaitable<Expected<std::size_t>> trim() override;
  void on_signal(std::function<void()> told) override;

  /// Another server has said that it changed tables.
  void signalled();

 private:
  Calls& reads_;
  Calls& writes_;
  const Health& health_;
  const std::int64_t writer_;
  // Of the one caller that reads.
  std::uint64_t unknown_outcomes_{0};
  std::chrono::steady_clock::time_point own_too_until_{};
  std::mutex mutex_;
  std::function<void()> told_;  // under the mutex
};

}  // namespace tesela::store::postgres
