// The events of tables, also those of logs that are packed.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <optional>
#include <vector>

#include "server/store/event_log.h"
#include "server/store/postgres/calls.h"

namespace tesela::store::postgres {

/// Any thread.
class LogReader final : public EventReader {
 public:
  /// `calls` outlive it.
  explicit LogReader(Calls& calls) : calls_(calls) {}

  boost::asio::awaitable<Expected<std::vector<Entry>>> read(TableId table, Version from,
                                                            std::size_t max) override;
  boost::asio::awaitable<Expected<std::optional<Entry>>> last(TableId table) override;

 private:
  Calls& calls_;
};

}  // namespace tesela::store::postgres
