// The events of tables, also those of logs that are packed.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <optional>
#include <vector>

#include "server/store/event_log.h"
#include "server/store/postgres/calls.h"
#include "server/store/postgres/read/packed_logs.h"
#include "server/store/postgres/unpacker.h"

namespace tesela::store::postgres {

/// Any thread.
class LogReader final : public EventReader {
 public:
  /// Both outlive it.
  LogReader(Calls& calls, Unpacker& unpacker) : calls_(calls), unpacker_(unpacker) {}

  boost::asio::awaitable<Expected<std::vector<Entry>>> read(TableId table, Version from,
                                                            std::size_t max) override;
  boost::asio::awaitable<Expected<std::optional<Entry>>> last(TableId table) override;
  boost::asio::awaitable<Expected<LogSize>> size(TableId table) override;

 private:
  /// What is stored of a log, and its packed events where `part` has any.
  struct Found {
    StoredLog stored;
    UnpackedLogs::Log unpacked{};
  };
  boost::asio::awaitable<Expected<Found>> find(TableId table, LogPart part);

  Calls& calls_;
  Unpacker& unpacker_;
};

}  // namespace tesela::store::postgres
