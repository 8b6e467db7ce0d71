// Unpacks logs on a thread of its own.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string_view>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/archive/packed_log.h"
#include "server/base/io_pool.h"
#include "server/store/postgres/open_calls.h"
#include "server/store/unpacked_logs.h"

namespace tesela::store::postgres {

/// One log after the other, at a low priority. Any thread; not close() and the destructor, which
/// wait for the thread.
class Unpacker {
 public:
  /// `open` outlives it.
  explicit Unpacker(OpenCalls& open);
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// UnpackedLogs::find.
  [[nodiscard]] UnpackedLogs::Log find(TableId table, std::string_view hash);
  /// The log, which is kept for a while. Errors: kCorrupt, and kUnavailable while the store is
  /// closing.
  boost::asio::awaitable<Expected<UnpackedLogs::Log>> unpack(TableId table,
                                                             archive::PackedLog packed);
  /// Nothing is unpacked any more.
  void close();

 private:
  boost::asio::awaitable<Expected<UnpackedLogs::Log>> unpack_here(TableId table,
                                                                  archive::PackedLog packed);

  OpenCalls& open_;
  UnpackedLogs logs_;
  base::IoPool thread_;
};

}  // namespace tesela::store::postgres
