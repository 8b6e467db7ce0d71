// Logs that were unpacked, for further reads.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "engine/core/ids.h"
#include "server/archive/record_list.h"

namespace tesela::store {

/// At most limits::kUnpackedLogsMax logs that take limits::kUnpackedBytesMax bytes; the last one
/// always stays, whatever it takes. A packed log never changes, so neither does an entry. Any
/// thread.
class UnpackedLogs {
 public:
  using Log = std::shared_ptr<const archive::RecordList>;

  /// Null when it is not there.
  [[nodiscard]] Log find(TableId table);
  void add(TableId table, Log log);

 private:
  using Entry = std::pair<TableId, Log>;

  std::mutex mutex_;
  std::list<Entry> entries_;  // the one that was read last is the first
  std::unordered_map<TableId, std::list<Entry>::iterator> places_;
  std::size_t bytes_{0};
};

}  // namespace tesela::store
