// Logs that were unpacked, for further reads.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/core/ids.h"
#include "server/archive/record_list.h"

namespace tesela::store {

/// At most limits::kUnpackedLogsMax logs that take limits::kUnpackedBytesMax bytes; the last one
/// always stays, whatever it takes. A packed log never changes, but its table may be deleted, and
/// another one may have the id later (a rematch has the id that its game gives it): so a log is
/// found by the hash of its records too. Any thread.
class UnpackedLogs {
 public:
  using Log = std::shared_ptr<const archive::RecordList>;

  /// Null when it is not there. `hash`: PackedLog::hash.
  [[nodiscard]] Log find(TableId table, std::string_view hash);
  void add(TableId table, std::string hash, Log log);

 private:
  struct Entry {
    TableId table;
    std::string hash;
    Log log;
  };

  /// Under the lock.
  void drop(std::list<Entry>::iterator entry);

  std::mutex mutex_;
  std::list<Entry> entries_;  // the one that was read last is the first
  std::unordered_map<TableId, std::list<Entry>::iterator> places_;
  std::size_t bytes_{0};
};

}  // namespace tesela::store
