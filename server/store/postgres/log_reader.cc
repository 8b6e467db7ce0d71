#include "server/store/postgres/log_reader.h"

#include <string>
#include <utility>

#include "server/store/log_page.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;

namespace {

/// Whether some of the part are events of the packed log.
bool needs_unpacking(const StoredLog& stored, const LogPart& part) {
  if (stored.packed_until == Version{}) return false;
  return part.newest ? stored.events.empty() : part.from <= stored.packed_until && part.max > 0;
}

}  // namespace

awaitable<Expected<LogReader::Found>> LogReader::find(TableId table, LogPart part) {
  Found found;
  auto stored = co_await calls_.run<StoredLog>(
      [=](Attempt& attempt) { return stored_log(attempt, table, part, Packed::kHash); });
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  found.stored = std::move(*stored);
  if (!needs_unpacking(found.stored, part)) co_return found;
  found.unpacked = unpacker_.find(table, found.stored.hash);
  if (found.unpacked) co_return found;
  stored = co_await calls_.run<StoredLog>(
      [=](Attempt& attempt) { return stored_log(attempt, table, part, Packed::kWhole); });
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  found.stored = std::move(*stored);
  // Otherwise it is a new table of the same id.
  if (!needs_unpacking(found.stored, part)) co_return found;
  auto unpacked = co_await unpacker_.unpack(table, std::move(found.stored.packed));
  if (!unpacked) co_return std::unexpected(std::move(unpacked.error()));
  found.unpacked = std::move(*unpacked);
  co_return found;
}

awaitable<Expected<std::vector<Entry>>> LogReader::read(TableId table, Version from,
                                                        std::size_t max) {
  const LogPart part{.from = from, .max = max};
  auto found = co_await find(table, part);
  if (!found) co_return std::unexpected(std::move(found.error()));
  LogPage page(from, max);
  if (found->unpacked) page.add(*found->unpacked);
  if (auto added = page.add(std::move(found->stored.events)); !added) {
    co_return std::unexpected(std::move(added.error()));
  }
  if (page.ends_before(found->stored.last)) co_return missing_from_log(page.next_version());
  co_return page.take();
}

awaitable<Expected<std::optional<Entry>>> LogReader::last(TableId table) {
  const LogPart newest{.newest = true};
  auto found = co_await find(table, newest);
  if (!found) co_return std::unexpected(std::move(found.error()));
  std::optional<Entry> last;
  if (!found->stored.events.empty()) {
    last = std::move(found->stored.events.front());
  } else if (found->unpacked) {
    const std::size_t size = found->unpacked->size();
    last = Entry{Version{size}, std::string((*found->unpacked)[size - 1])};
  }
  const Version until = last ? last->version : Version{};
  if (until < found->stored.last) co_return missing_from_log(next(until));
  co_return last;
}

awaitable<Expected<LogSize>> LogReader::size(TableId table) {
  const LogPart nothing;
  const auto stored = co_await calls_.run<StoredLog>(
      [=](Attempt& attempt) { return stored_log(attempt, table, nothing, Packed::kHash); });
  if (!stored) co_return std::unexpected(stored.error());
  const bool is_packed = stored->packed_until != Version{};
  const bool is_kept = is_packed && unpacker_.find(table, stored->hash) != nullptr;
  co_return LogSize{.last = stored->last,
                    .unpacked = is_packed && !is_kept ? stored->packed_until.value : 0};
}

}  // namespace tesela::store::postgres
