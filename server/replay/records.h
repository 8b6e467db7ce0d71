// Reads a table's log record by record.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/record.h"
#include "server/store/event_log.h"

namespace tesela::replay {

/// The error kCorrupt: "The log is damaged at version 7: …".
[[nodiscard]] std::unexpected<Error> damaged(Version version, const std::string& what);

class Records {
 public:
  /// Reads the versions after `after` to `until`; 0: to the end. `log` outlives it.
  Records(store::EventReader& log, TableId table, Version until, Version after = {})
      : log_(log), table_(table), until_(until), version_(after) {}

  /// The next record; empty at the end. Errors: those of EventLog::read; kCorrupt for a gap or a
  /// record that cannot be decoded.
  boost::asio::awaitable<Expected<std::optional<codec::Record>>> read();
  /// The version that was read last; `after` before the first.
  [[nodiscard]] Version version() const { return version_; }

 private:
  store::EventReader& log_;
  TableId table_;
  Version until_;
  Version version_;
  std::vector<store::Entry> page_;
  std::size_t next_ = 0;  // index in `page_`
  bool last_page_ = false;
};

}  // namespace tesela::replay
