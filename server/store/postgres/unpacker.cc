#include "server/store/postgres/unpacker.h"

#include <memory>
#include <utility>

#include "server/base/limits.h"
#include "server/store/refusals.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;

Unpacker::Unpacker(OpenCalls& open) : open_(open), thread_(1, limits::kExecutionNiceness) {
  thread_.run();
}

UnpackedLogs::Log Unpacker::find(TableId table, std::string_view hash) {
  return logs_.find(table, hash);
}

awaitable<Expected<UnpackedLogs::Log>> Unpacker::unpack(TableId table, archive::PackedLog packed) {
  if (!open_.begin()) co_return stopping();
  co_return co_await thread_.at(0).call(unpack_here(table, std::move(packed)));
}

awaitable<Expected<UnpackedLogs::Log>> Unpacker::unpack_here(TableId table,
                                                             archive::PackedLog packed) {
  // Another call may have waited for the same log.
  UnpackedLogs::Log log = logs_.find(table, packed.hash);
  Expected<void> done;
  if (!log) {
    auto records = archive::unpack(packed);
    if (records) {
      log = std::make_shared<const archive::RecordList>(std::move(*records));
      logs_.add(table, std::move(packed.hash), log);
    } else {
      done = std::unexpected(std::move(records.error()));
    }
  }
  open_.end(1);
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return log;
}

void Unpacker::close() {
  thread_.join();
}

}  // namespace tesela::store::postgres
